//! Tests of visits: with and without what the browser remembers, and with links of all kinds.

use std::time::Duration;

use crate::browser::{Browser, Site};
use crate::{SHOWN, SIZE};

/// The keys under which the browser keeps a visitor's presets, and its count of starts.
const PRESETS: &str = "config/seaway/presets";
const STARTS: &str = "config/seaway/starts";

/// Returns the messages of the console that hold `words`.
fn said(browser: &mut Browser, words: &str) -> Vec<String> {
    browser.run("1");
    let said = browser.console.iter().map(|(_, said)| said.clone());
    said.filter(|said| said.contains(words)).collect()
}

/// Writes "mine" where the panels ask for the name of a preset that is to be saved.
fn name_a_preset(browser: &mut Browser) {
    // The keyboard goes to the panels, past the list of presets, to the button that saves.
    let keys = [("F6", "F6"), ("Tab", "Tab"), ("Tab", "Tab"), ("Space", " ")];
    let name = [("KeyM", "m"), ("KeyI", "i"), ("KeyN", "n"), ("KeyE", "e")];
    for (code, key) in keys.into_iter().chain(name) {
        browser.press(code, key);
        // Within a frame, the focus moves once.
        browser.after_frames(3);
    }
}

#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn an_own_preset_is_there_at_the_next_visit() {
    let site = Site::serve();
    let mut browser = Browser::open(SIZE);
    browser.visit(&site.url("#preset=breeze&size=64&paused=true&sea.wind_speed_mps=19.5"));
    browser.wait_for_words(SHOWN);
    let kept = format!("localStorage['{PRESETS}/mine.toml'] ?? ''");
    name_a_preset(&mut browser);
    browser.press("Enter", "Enter");
    browser.wait("a preset", |browser| (browser.run(&kept) != "").then_some(()));
    let text = browser.run(&kept);
    assert!(text.as_str().unwrap().contains("wind_speed_mps = 19.5"), "{text}");
    assert_eq!(browser.wait_for_words("Saved as ").matches("mine in this browser").count(), 1);
    let remembered = "localStorage['config/seaway/view.toml']";
    browser.wait("that it is remembered", |browser| {
        let text = browser.run(remembered);
        text.as_str().unwrap().contains("preset = \"mine\"").then_some(())
    });

    // Both are read at the next visit, and only the other one is no preset.
    browser.run(&format!("localStorage['{PRESETS}/broken.toml'] = 'sea = ['"));
    assert_eq!(browser.errors(), Vec::<String>::new());
    browser.visit(&site.url(""));
    browser.wait_for_words(SHOWN);
    let refused = said(&mut browser, "One of your presets cannot be used");
    assert!(matches!(&refused[..], [one] if one.contains("broken")), "{refused:#?}");
    let text = browser.run(remembered);
    assert!(text.as_str().unwrap().contains("preset = \"mine\""), "{text}");
    // For others it is described by what it differs in from one that ships.
    let link =
        browser.wait("its link", |browser| Some(browser.link()).filter(|link| !link.is_empty()));
    assert_eq!(link["sea.wind_speed_mps"], "19.5");
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn a_browser_that_keeps_nothing_shows_the_sea() {
    let site = Site::serve();
    for block in [
        "Object.defineProperty(window, 'localStorage', {
            get() { throw new DOMException('denied', 'SecurityError'); },
        });",
        "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };",
    ] {
        let mut browser = Browser::open(SIZE);
        browser.before_pages(block);
        browser.visit(&site.url("#preset=gale&size=64"));
        browser.wait_for_words(SHOWN);
        browser.press("Space", " ");
        browser.wait("an answer", |browser| browser.link().contains_key("paused").then_some(()));
        std::thread::sleep(Duration::from_secs(3));
        assert!(said(&mut browser, "panicked").is_empty(), "{:#?}", browser.console);
        assert_eq!(browser.errors(), Vec::<String>::new());
        let complaints = said(&mut browser, "could not be written");
        assert!(complaints.len() <= 2, "{complaints:#?}");
    }
}

#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn a_link_that_is_broken_shows_the_sea() {
    let site = Site::serve();
    let mut browser = Browser::open(SIZE);
    let long = "sea.wind_speed_mps=9e9&moon=%F0%9F%8C%99&".repeat(1200);
    for (link, told) in [
        ("%", 0),
        ("preset=none&size=x&&&=", 3),
        ("size=1073741824", 1),
        (&*long, 4),
        (&"x".repeat(50_000), 0),
    ] {
        browser.visit(&site.url(&format!("#{link}")));
        browser.wait_for_words(SHOWN);
        let complaints =
            said(&mut browser, "the address").len() + said(&mut browser, "The address").len();
        assert_eq!(complaints, told, "{:.50}: {:#?}", link, browser.console);
        assert!(
            browser.console.iter().all(|(_, said)| said.len() < 1000),
            "{:#?}",
            browser.console
        );
        assert!(said(&mut browser, "panicked").is_empty(), "{:#?}", browser.console);
        assert_eq!(browser.errors(), Vec::<String>::new(), "{link:.50}");
        // And it becomes the link of what is shown.
        browser
            .wait("a sound link", |browser| browser.link().contains_key("algorithm").then_some(()));
    }
}

/// A program that ends before it shows anything ends two visits, and not a third.
#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn a_sea_that_ends_its_page_is_replaced() {
    let site = Site::serve();
    let mut browser = Browser::open(SIZE);
    browser.before_pages(
        "try {
            if (localStorage.ends) {
                GPUDevice.prototype.createShaderModule = () => {
                    throw new WebAssembly.RuntimeError('unreachable');
                };
            }
        } catch {}",
    );
    browser.visit(&site.url("seaway.css"));
    browser.run("localStorage.ends = 'yes'");
    let count = format!("localStorage['{STARTS}'] ?? 'none'");
    let link = site.url("#preset=breeze&size=64");
    for visit in ["1", "2"] {
        browser.visit(&link);
        browser.wait("the end", |browser| {
            let told = browser.run("document.getElementById('message')?.hidden === false");
            (told == true).then_some(())
        });
        assert_eq!(browser.run(&count), visit);
    }
    browser.run("delete localStorage.ends");
    browser.visit(&link);
    browser.wait_for_words("The last starts ended before the sea was shown");
    browser.wait_for_words("best 128 ready");
    browser.wait_for_words(SHOWN);
    browser.wait("an end of the count", |browser| (browser.run(&count) == "none").then_some(()));
    assert_eq!(browser.errors(), Vec::<String>::new());

    // One that has ended may have been closed.
    browser.run(&format!("localStorage['{STARTS}'] = '1'"));
    browser.visit(&link);
    browser.wait_for_words("best 64 ready");
    assert_eq!(said(&mut browser, "The last starts"), Vec::<String>::new());
}

#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn a_page_that_may_not_copy_says_so() {
    let site = Site::serve();
    for refuse in [
        "if (window.Clipboard) Clipboard.prototype.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'));",
        "Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined });",
    ] {
        let mut browser = Browser::open(SIZE);
        browser.before_pages(refuse);
        browser.visit(&site.url("#preset=breeze&size=64&paused=true"));
        browser.wait_for_words(SHOWN);
        name_a_preset(&mut browser);
        for (code, key) in [("KeyA", "a"), ("KeyC", "c")] {
            browser.press_with_control(code, key);
            browser.after_frames(3);
        }
        browser.wait_for_words("does not allow this page to copy");
        assert_eq!(browser.errors(), Vec::<String>::new());
    }
}
