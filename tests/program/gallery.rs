//! `seaway gallery`: pictures of presets, and a sheet of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::support::{NO_ADAPTER, Outcome, folder, seaway, seaway_with};

/// Small and coarse: what is tested is not the picture.
const SMALL: &str = "--quality low --foam-texels 0 --size 32 --cascades 1 --resolution 48x28";

fn gallery(out: &Path, options: &str) -> Outcome {
    seaway(&format!("gallery --out {} {SMALL} {options}", out.display()))
}

/// Everything in a folder, by name.
fn files(out: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(out).unwrap().map(|entry| entry.unwrap());
    entries
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect()
}

#[test]
fn the_sheet_shows_every_preset_sun_and_height() {
    let out = folder("gallery");
    fs::write(out.join("notes.txt"), "mine").unwrap();
    let own = out.join("mine.toml");
    fs::write(&own, "[sea]\nwind_speed_mps = 15.0\n").unwrap();
    let options = format!("--preset calm,{} --suns low,60@-90 --heights 2,1500", own.display());
    gallery(&out, &options).expect(0, &["adapter: ", "wrote 8 picture(s) and gallery.png to "]);
    let found = files(&out);
    let mut expected = vec!["gallery.png".to_owned(), "mine.toml".into(), "notes.txt".into()];
    for preset in ["calm", "mine"] {
        for view in ["low-2m", "60@-90-2m", "low-1500m", "60@-90-1500m"] {
            expected.push(format!("{preset}-{view}.png"));
        }
    }
    expected.sort();
    assert_eq!(found.keys().cloned().collect::<Vec<_>>(), expected);
    assert_eq!(found["notes.txt"], b"mine");

    let picture = |name: &str| image::load_from_memory(&found[name]).unwrap().into_rgb8();
    let pictures: Vec<_> =
        expected.iter().filter(|name| name.contains("-")).map(|name| picture(name)).collect();
    for (index, one) in pictures.iter().enumerate() {
        assert_eq!(one.dimensions(), (48, 28));
        assert!(pictures[..index].iter().all(|other| other != one), "{}", expected[index]);
        // The horizon lies at a third: the sky is over it.
        let brightness = |row: u32| {
            let row = (0..48)
                .map(|x| one.get_pixel(x, row).0.iter().copied().map(u32::from).sum::<u32>());
            row.sum::<u32>()
        };
        assert!(brightness(5) > brightness(24), "{}", expected[index]);
    }
    // No smaller than the pictures are, each is there as it is.
    let sheet = picture("gallery.png");
    let on_sheet = |small: &image::RgbImage| {
        let (width, height) = sheet.dimensions();
        (0..height - 28).any(|y| {
            (0..width - 48).any(|x| {
                [(0, 0), (47, 3), (11, 27), (24, 14), (30, 20)]
                    .into_iter()
                    .all(|(dx, dy)| sheet.get_pixel(x + dx, y + dy) == small.get_pixel(dx, dy))
            })
        })
    };
    assert!(pictures.iter().all(on_sheet));

    // The same again, and those of another run beside them.
    gallery(&out, &options).expect(0, &[]);
    assert!(files(&out) == found);
    gallery(&out, "--preset calm --suns high --heights 30 --samples 2")
        .expect(0, &["1 picture(s)"]);
    assert_eq!(files(&out).len(), found.len() + 1);
    assert!(files(&out)["calm-low-2m.png"] == found["calm-low-2m.png"]);
}

/// The description in a picture is enough to draw it again.
#[test]
fn a_picture_is_a_frame_that_render_draws() {
    let (out, frames) = (folder("gallery-one"), folder("gallery-frame"));
    gallery(&out, "--preset calm --suns 30@40 --heights 120 --time 7").expect(0, &[]);
    let name = "calm-30@40-120m.png";
    let bytes = fs::read(out.join(name)).unwrap();
    let decoder = png::Decoder::new(std::io::Cursor::new(&bytes));
    let reader = decoder.read_info().unwrap();
    let text =
        reader.info().uncompressed_latin1_text.iter().find(|chunk| chunk.keyword == "seaway");
    let stamp: toml::Table = text.unwrap().text.parse().unwrap();
    let number = |group: &str, name: &str| stamp[group][name].as_float().unwrap();
    let line = format!(
        "render --out {} {SMALL} --preset calm --time 7 --camera 0,{},0,{},{} --sun {},{}",
        frames.display(),
        number("camera", "y_m"),
        number("camera", "yaw_deg"),
        number("camera", "pitch_deg"),
        number("light", "sun_azimuth_deg"),
        number("light", "sun_elevation_deg"),
    );
    seaway(&line).expect(0, &[]);
    assert!(fs::read(frames.join("frame_0000.png")).unwrap() == bytes);
}

/// Heights below 0 are under water, and the bed raises those that are too low.
#[test]
fn a_gallery_goes_under_water() {
    let out = folder("gallery-below");
    gallery(&out, "--preset shallow-bay --suns high --heights -1,-50")
        .expect(0, &["shallow-bay-high--50m.png: the eye was raised from -50.00 m", "the bed"]);
    assert!(out.join("shallow-bay-high--1m.png").is_file());
}

#[test]
fn wrong_usage_and_folders_are_reported_before_drawing() {
    for (options, hint) in [
        ("--suns noon", "low, afternoon, high, behind"),
        ("--suns 95@0", "ELEVATION@BEARING"),
        ("--heights -300", "from -200 to 20000"),
        ("--heights high", "from -200 to 20000"),
        ("--time never", "expected a number"),
        ("--samples 0", "from 1 to 4096"),
        ("--resolution 0x4", "expected a number"),
        ("--size 100", "not a power of two"),
        ("--algorithm auto", "choose an algorithm by name"),
        ("--preset calm,storm,calm", "names calm twice"),
    ] {
        let line = format!("gallery --out x {options}");
        seaway_with(&line, &NO_ADAPTER).expect_failure(2, &[hint, "--help"]);
    }
    seaway("gallery").expect_failure(2, &["--out"]);
    let unknown = seaway_with("gallery --out x --preset no-such-sea", &NO_ADAPTER);
    unknown.expect_failure(1, &["no-such-sea", "breeze"]);
    assert!(!Path::new("x").exists());

    let out = folder("gallery-folders");
    fs::create_dir(out.join("calm-high-2m.png")).unwrap();
    let line = format!("gallery --out {} --preset calm", out.display());
    seaway_with(&line, &NO_ADAPTER)
        .expect_failure(1, &["calm-high-2m.png", "a folder has its name"]);
    fs::write(out.join("file"), "").unwrap();
    let line = format!("gallery --out {}", out.join("file").display());
    seaway_with(&line, &NO_ADAPTER).expect_failure(1, &["a file has its name"]);
    seaway_with(&format!("gallery --out {}/sub", out.display()), &NO_ADAPTER)
        .expect_failure(3, &["adapter"]);
    let help = seaway("gallery --help").stdout;
    for words in ["gallery.png", "[default: all that ship]", "960x540", "--samples", "2,30,1500"] {
        assert!(help.contains(words), "{words} is not in: {help}");
    }
}
