//! A sea as a line of text, for addresses and messages: `preset=storm&sea.wind_speed_mps=31&..`.
//!
//! It describes the sea, and not the window's layout: the preset, every setting in which the scene differs
//! from it, time, algorithm and size. Settings that it does not name keep the preset's or current value.
//! Quality is left to each user. The spectra of a file are too long for it: such a sea becomes one of the
//! spectrum model in the same wind.

use super::session::Session;
use super::time::Clock;
use crate::app::platform::STRINGS;
use crate::choice::Choice as _;
use crate::eye::EyeLevel;
use crate::fft::lab::AlgorithmChoice;
use crate::ocean::OceanPath;
use crate::settings::{Preset, Quality, Settings as _, Value};

pub(super) fn of(session: &Session) -> String {
    let Session { preset, scene, clock, algorithm, path, quality, cameras, .. } = session;
    // Other visitors lack the user's own presets. A shipped preset with another record would load that record.
    let shipped = Preset::SHIPPED.iter().find(|(name, _)| name == preset);
    let shipped =
        shipped.map(|(name, text)| (*name, Preset::parse(name, text).unwrap_or_default()));
    let has_record = |recorded: &_| scene.sea.recorded == *recorded;
    let shipped = shipped
        .filter(|(_, shipped)| shipped.sea.recorded.is_none() || has_record(&shipped.sea.recorded));
    let (name, shipped) = shipped.unwrap_or_else(|| {
        (Preset::DEFAULT_NAME, Preset::load(Preset::DEFAULT_NAME).unwrap_or_default())
    });
    let is_carried = has_record(&shipped.sea.recorded);
    let of_record = ["record_hour", "recorded_spreading"];
    let differences = scene.differences(&shipped);
    let differences = differences.filter(|field| is_carried || !of_record.contains(&field.name));
    let mut words = vec![format!("preset={name}")];
    words.extend(differences.map(|field| {
        let text = match field.get(scene) {
            Value::Number(number) => brief(number),
            value => value.to_string(),
        };
        format!("{}.{}={text}", field.group, field.name)
    }));
    if let Some(height_m) = cameras.eye_level().above_water_m() {
        words.push(format!("above_water_m={}", brief(height_m)));
    }
    words.push(format!("time_s={}", brief(clock.time_s)));
    if clock.rate != 1.0 {
        words.push(format!("rate={}", brief(clock.rate)));
    }
    if clock.paused {
        words.push("paused=true".to_owned());
    }
    words.push(format!("algorithm={algorithm}"));
    words.push(format!("path={}", path.name()));
    words.push(format!("size={}", quality.size));
    words.join("&")
}

/// Largest size that a link may ask for. A larger sea takes gigabytes, of the visitor's memory and of a
/// page's, which ends if it gets no more.
const LARGEST: u32 = 1024;

/// Longest excerpt of a word or a reason in a message, in characters.
const WORD: usize = 40;
const REASON: usize = 120;

/// The parts of a link that are not settings of the session.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Followed {
    /// Points along one side of each cascade's grid, for when the device is known.
    pub size: Option<u32>,
    /// The parts that could not be understood.
    pub notes: Vec<String>,
}

impl Followed {
    /// The number of notes shown one by one: a visitor with a broken link wants to see the sea.
    const SHOWN: usize = 3;

    /// Returns the messages to show: a few of the notes, and the number of the others.
    pub fn messages(&self) -> Vec<String> {
        let message = |note| format!("Part of the address was ignored: {note}.");
        let mut messages: Vec<_> = self.notes.iter().take(Self::SHOWN).map(message).collect();
        let rest = self.notes.len() - messages.len();
        if rest > 0 {
            messages.push(format!("{rest} more parts of the address were ignored."));
        }
        messages
    }
}

/// Returns at most `most` characters of `text`.
fn short(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}..", &text[..end]),
        None => text.to_owned(),
    }
}

/// Applies `link` to `session`. Parts that cannot be understood change nothing. The session's own link, as of
/// a page that is loaded again, changes only the time, so that one of the user's own presets stays.
pub(super) fn follow(session: &mut Session, link: &str) -> Followed {
    let of_clock =
        |word: &&str| ["time_s=", "rate=", "paused="].iter().any(|key| word.starts_with(key));
    let own = of(session);
    let is_own = link
        .split('&')
        .filter(|word| !of_clock(word))
        .eq(own.split('&').filter(|word| !of_clock(word)));
    let words = link.split('&').filter(|word| !is_own || of_clock(word));
    let words: Vec<(&str, &str)> = words.filter_map(|word| word.split_once('=')).collect();
    let mut followed = Followed::default();
    if let Some((_, name)) = words.iter().find(|(key, _)| *key == "preset") {
        match Preset::SHIPPED.iter().find(|(shipped, _)| shipped == name) {
            Some((name, text)) => {
                session.preset = (*name).to_owned();
                session.scene = Preset::parse(name, text).unwrap_or_default();
                session.cameras.stay();
                session.cameras.is_walking = false;
            }
            None => followed.notes.push(format!("there is no preset {:?}", short(name, WORD))),
        }
    }
    for (key, text) in words {
        if let Err(reason) = set(session, &mut followed.size, key, text) {
            let [key, text] = [key, text].map(|word| short(word, WORD));
            // A reason may name the value, too.
            followed.notes.push(format!("{key}={text}: {}", short(&reason, REASON)));
        }
    }
    followed
}

fn set(session: &mut Session, size: &mut Option<u32>, key: &str, text: &str) -> Result<(), String> {
    if let Some((group, name)) = key.split_once('.') {
        let mut fields = Preset::FIELDS.iter();
        let field = fields.find(|field| field.group == group && field.name == name);
        let field = field.ok_or("there is no such setting")?;
        return field.set_text(&mut session.scene, text).map_err(|error| error.to_string());
    }
    match key {
        "preset" => {}
        "above_water_m" => {
            session.cameras.walk.height_m = number(text, |m| EyeLevel::HEIGHTS_M.contains(m))?;
            session.cameras.is_walking = true;
        }
        "time_s" => session.clock.time_s = number(text, |time_s| (0.0..=1e9).contains(time_s))?,
        "rate" => session.clock.rate = number(text, |rate| Clock::RATES.contains(rate))?,
        "paused" => session.clock.paused = text == "true",
        "algorithm" => {
            let all = AlgorithmChoice::of_powers_of_two();
            let named = all.into_iter().find(|algorithm| algorithm.to_string() == text);
            let named = named.ok_or("there is no such algorithm")?;
            if let (AlgorithmChoice::Auto, Some(reason)) = (named, STRINGS.no_tuning) {
                return Err(reason.to_owned());
            }
            session.algorithm = named;
        }
        "path" => session.path = OceanPath::from_name(text).ok_or("there is no such path")?,
        "size" => {
            let mut quality = Quality::default();
            let field = Quality::field("size").ok_or("there is no such setting")?;
            field.set_text(&mut quality, text).map_err(|error| error.to_string())?;
            let wanted = quality.size;
            *size = Some(wanted.min(LARGEST));
            if wanted > LARGEST {
                return Err(format!("the largest size in a link is {LARGEST}"));
            }
        }
        _ => return Err("there is no such setting".to_owned()),
    }
    Ok(())
}

fn number(text: &str, is_sound: impl FnOnce(&f64) -> bool) -> Result<f64, String> {
    let number = text.parse().map_err(|_| "it is not a number")?;
    if is_sound(&number) { Ok(number) } else { Err("it is out of range".to_owned()) }
}

/// Rounds to a thousandth, or six digits for larger numbers.
fn brief(number: f64) -> String {
    let digits = 5 - number.abs().max(1e-9).log10().floor() as i32;
    let text = format!("{number:.*}", digits.max(3) as usize);
    match text.trim_end_matches('0').trim_end_matches('.') {
        "-0" => "0".to_owned(),
        text => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng as _;

    use crate::settings::table::random;

    #[test]
    fn a_link_brings_back_what_was_seen() {
        let mut rng = rand_pcg::Pcg32::seed_from_u64(1);
        for (round, (preset, _)) in Preset::SHIPPED.iter().cycle().take(60).enumerate() {
            let mut session = Session { preset: (*preset).to_owned(), ..Session::default() };
            session.scene = random(&mut rng);
            session.clock.time_s = 1234.567 * round as f64;
            session.clock.paused = round % 2 == 0;
            session.clock.rate = [1.0, 0.25][round % 2];
            let algorithms: Vec<_> = AlgorithmChoice::of_powers_of_two().collect();
            session.algorithm = algorithms[round % algorithms.len()];
            session.cameras.is_walking = round % 3 == 0;
            session.cameras.walk.height_m = 2.125;
            let link = of(&session);
            let mut other = Session::default();
            let size = Some(session.quality.size);
            assert_eq!(follow(&mut other, &link), Followed { size, notes: vec![] }, "{link}");
            assert_eq!(of(&other), link);
            let [one, two] = [&session, &other].map(|session| session.scene.sea.wind_speed_mps);
            assert!((one / two - 1.0).abs() < 1e-4, "{one} and {two}");
        }
    }

    #[test]
    fn a_link_carries_no_record_but_that_of_its_preset() {
        let measured = |name: &str| Session {
            preset: name.to_owned(),
            scene: Preset::load(name).unwrap(),
            ..Session::default()
        };
        let mut gale = measured("measured-gale");
        let follow_it = |session: &Session| {
            let mut other = measured("hurricane-swell");
            assert!(follow(&mut other, &of(session)).notes.is_empty());
            other
        };
        assert_eq!(follow_it(&gale).scene.sea.recorded, gale.scene.sea.recorded);
        // A file that was opened, over a preset with a record and over one without.
        gale.scene.sea.recorded = measured("hurricane-swell").scene.sea.recorded;
        gale.scene.sea.record_hour = 7.0;
        for preset in ["measured-gale", "storm"] {
            gale.preset = preset.to_owned();
            let other = follow_it(&gale);
            assert_eq!((&other.scene.sea.recorded, other.scene.sea.record_hour), (&None, 0.0));
            assert_eq!(other.scene.sea.wind_speed_mps, gale.scene.sea.wind_speed_mps);
            let mut again = gale.clone();
            assert_eq!(follow(&mut again, &of(&gale)), Followed::default());
            assert_eq!(again, gale, "a page that is loaded again keeps the file");
        }
    }

    #[test]
    fn a_link_leads_below() {
        let mut session = Session::default();
        session.scene.camera.y_m = -7.5;
        let mut other = Session::default();
        assert!(follow(&mut other, &of(&session)).notes.is_empty());
        assert_eq!(other.scene.camera.y_m, -7.5);
    }

    #[test]
    fn what_cannot_be_understood_is_told_and_changes_nothing() {
        let start = Session::default();
        for link in [
            "preset=none",
            "sea.wind=3",
            "sea.wind_speed_mps=nan",
            "sea.wind_speed_mps=fast",
            "time_s=-1",
            "time_s=1e99",
            "rate=0",
            "algorithm=fastest",
            "path=around",
            "size=100",
            "size=1073741824",
            "above_water_m=-3",
            "moon=full",
        ] {
            let mut session = start.clone();
            assert_eq!(follow(&mut session, link).notes.len(), 1, "{link}");
            assert_eq!(session, start, "{link}");
        }
        let followed = follow(&mut start.clone(), "size=4096");
        assert_eq!((followed.size, followed.notes.len()), (Some(LARGEST), 1));
        let mut session = start.clone();
        assert_eq!(follow(&mut session, ""), Followed::default());
        assert_eq!(session, start);
    }

    #[test]
    fn a_reloaded_page_keeps_the_visitor_s_preset() {
        let mut session = Session { preset: "mine".to_owned(), ..Session::default() };
        session.scene.sea.wind_speed_mps = 13.5;
        session.clock.time_s = 77.0;
        let link = of(&session);
        session.clock = Default::default();
        let mut again = session.clone();
        assert_eq!(follow(&mut again, &format!("{link}&paused=true")), Followed::default());
        assert_eq!((again.preset.as_str(), again.clock.time_s), ("mine", 77.0));
        assert!(again.clock.paused);
        // Another sea is another sea.
        follow(&mut again, "preset=storm&time_s=3");
        assert_eq!((again.preset.as_str(), again.clock.time_s), ("storm", 3.0));
    }

    #[test]
    fn many_bad_entries_give_a_few_short_messages() {
        let messages = |link: &str| follow(&mut Session::default(), link).messages();
        assert_eq!(messages("preset=storm"), Vec::<String>::new());
        assert_eq!(messages("moon=full&sun=low&sky=red").len(), 3);
        let long = "\u{6d77}".repeat(20_000);
        let words: Vec<String> = (0..40).map(|place| format!("{long}{place}={long}")).collect();
        let link = format!("preset={long}&sea.wind_speed_mps={long}&{}&&&=", words.join("&"));
        let messages = messages(&link);
        assert_eq!(messages.len(), 4, "{messages:#?}");
        assert_eq!(messages[3], "40 more parts of the address were ignored.");
        assert!(messages.iter().all(|line| line.chars().count() < 300), "{messages:#?}");
    }

    #[test]
    fn a_link_of_few_changes_is_short() {
        let link = of(&Session::default());
        assert_eq!(link, "preset=breeze&time_s=0&algorithm=best&path=fused&size=256");
        assert_eq!(brief(1.0 / 3.0), "0.333333");
        assert_eq!(
            (brief(-0.0), brief(0.000_123_456_789)),
            ("0".to_owned(), "0.000123457".to_owned())
        );
        assert_eq!(brief(123_456.789_12), "123456.789");
    }
}
