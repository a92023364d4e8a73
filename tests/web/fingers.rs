//! Fingers on the sea's page.

use std::time::Duration;

use serde_json::json;

use crate::SHOWN;
use crate::browser::{Browser, Site, keep};

#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn one_finger_looks_and_two_fly_on_a_phone() {
    let site = Site::serve();
    let mut browser = Browser::phone([390, 844], 2);
    browser.visit(&site.url("#preset=breeze&size=64"));
    browser.wait_for_words(SHOWN);
    let canvas = "[sea.clientWidth, sea.clientHeight, sea.width, sea.height]";
    std::thread::sleep(Duration::from_secs(3));
    assert_eq!(browser.run(canvas), json!([390, 844, 780, 1688]));
    let from = [200.0, 700.0];
    browser.touch("touchStart", &[from]);
    browser.touch("touchMove", &[[320.0, 700.0]]);
    browser.touch("touchEnd", &[]);
    browser
        .wait("another yaw", |browser| browser.link().contains_key("camera.yaw_deg").then_some(()));
    let place = |browser: &mut Browser| ["camera.x_m", "camera.z_m"].map(|key| browser.linked(key));
    let [x, z] = place(&mut browser);
    browser.touch("touchStart", &[from, [300.0, 700.0]]);
    browser.touch("touchMove", &[[200.0, 600.0], [300.0, 600.0]]);
    browser.wait("a flight", |browser| {
        let [x_m, z_m] = place(browser);
        ((x_m - x).hypot(z_m - z) > 1.0).then_some(())
    });
    browser.touch("touchEnd", &[]);
    keep("phone", &browser.canvas());
    // And it has not grown.
    assert_eq!(browser.run(canvas), json!([390, 844, 780, 1688]));
    assert_eq!(browser.errors(), Vec::<String>::new());
}

/// Waits until the camera rests, and returns its place.
fn resting_place(browser: &mut Browser) -> [f64; 2] {
    let place = |browser: &mut Browser| ["camera.x_m", "camera.z_m"].map(|key| browser.linked(key));
    let mut last = place(browser);
    browser.wait("an end of the flight", |browser| {
        std::thread::sleep(Duration::from_secs(3));
        let before = std::mem::replace(&mut last, place(browser));
        ((last[0] - before[0]).hypot(last[1] - before[1]) < 0.01).then_some(last)
    })
}

#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn fingers_that_the_system_takes_away_fly_no_more() {
    let site = Site::serve();
    let mut browser = Browser::phone([390, 844], 1);
    browser.visit(&site.url("#preset=breeze&size=64"));
    browser.wait_for_words(SHOWN);
    std::thread::sleep(Duration::from_secs(3));
    for what in ["a call", "another window"] {
        let [x, z] = resting_place(&mut browser);
        browser.touch("touchStart", &[[200.0, 700.0], [300.0, 700.0]]);
        browser.touch("touchMove", &[[200.0, 600.0], [300.0, 600.0]]);
        browser.wait("a flight", |browser| {
            let [x_m, z_m] = ["camera.x_m", "camera.z_m"].map(|key| browser.linked(key));
            ((x_m - x).hypot(z_m - z) > 1.0).then_some(())
        });
        if what == "a call" {
            browser.touch("touchCancel", &[]);
        } else {
            browser.run("document.getElementById('sea').blur()");
        }
        println!("{what} ends it at {:?}", resting_place(&mut browser));
    }
    assert_eq!(browser.errors(), Vec::<String>::new());
}
