//! Tests of the kernel foundry's page, and of the host that it hands out.

use seaway::fft::lab::reference::{Lines, transform};
use seaway::fft::lab::{self, Accuracy, Array};
use seaway::fft::{Descriptor, Direction, Kind, Layout, Normalization, Placement};
use seaway::foundry::{Sheet, html};
use seaway::gpu::Capabilities;
use seaway_core::testing::tolerance;
use serde_json::{Value, json};

use crate::browser::{Browser, Site};
use crate::laboratory::GATE;

/// Waits until the page shows an answer to its form.
fn answered(browser: &mut Browser) -> String {
    browser.wait("the kernels", |browser| {
        (browser.run("document.body?.dataset.done") == "true").then_some(())
    });
    let shown = browser.run("document.getElementById('problems').innerText");
    shown.as_str().unwrap().to_owned()
}

/// Runs `host` in the page, and returns the numbers of one of its constants.
fn run_host(browser: &mut Browser, host: &str) -> [Vec<f64>; 2] {
    let ran = browser.run(&format!(
        "(async () => {{ {host}\nreturn [Array.from(input), Array.from(output)]; }})()"
    ));
    serde_json::from_value(ran).unwrap()
}

fn complex(numbers: &[f64]) -> Array {
    Array::of_numbers(numbers.to_vec(), false)
}

#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn the_foundry_s_kernels_run_in_an_empty_page() {
    let site = Site::serve();
    let mut browser = Browser::open([1000, 900]);
    // Values that cannot be give a message and a default.
    browser.visit(&site.url("kernel.html?size=60x32&batch=none&kind=odd&algorithm=mixed-radix"));
    let problems = answered(&mut browser);
    assert!(problems.contains("Batch \"none\"") && problems.contains("Kind \"odd\""), "{problems}");
    let search = browser.run("location.search");
    assert_eq!(search, "?size=60x32&algorithm=mixed-radix");
    for (language, words) in [
        ("wgsl", "@compute"),
        ("glsl", "#version 450"),
        ("hlsl", "[numthreads("),
        ("msl", "kernel void main_"),
    ] {
        let shown = browser.run(&format!(
            "(() => {{
                [...document.querySelectorAll('.bar button')].find((one) => one.textContent === '{}').click();
                return document.querySelector('.bar + div pre').textContent;
            }})()",
            language.to_uppercase()
        ));
        assert!(shown.as_str().unwrap().contains(words), "{language}: {shown}");
    }
    browser.run("document.getElementById('verify').click()");
    let row = browser.wait("a row", |browser| {
        let row = browser.run("document.getElementById('status').dataset.row");
        row.as_str().map(|row| serde_json::from_str::<Value>(row).unwrap())
    });
    let error = row["relative_l2_error"].as_f64().unwrap_or_else(|| panic!("{row}"));
    tolerance::at_most(error, GATE, "60 x 32 in the page");
    assert!(row["median_us"].as_f64().unwrap() > 0.0, "{row}");
    let host = browser.run("document.getElementById('host').textContent");
    let host = host.as_str().unwrap().to_owned();

    // An error in a hook has the line of the visitor's own text, and a right hook is checked.
    let with_hook = |browser: &mut Browser, text: &str| {
        browser.run(&format!(
            "document.body.dataset.done = '';
            document.getElementById('load').value = {};
            document.getElementById('load').dispatchEvent(new Event('input', {{ bubbles: true }}))",
            json!(text)
        ));
        answered(browser)
    };
    let wrong =
        "fn load(layer: u32, y: u32, x: u32) -> Element {\n    let one = 1.0;\n    return two;\n}";
    let problems = with_hook(&mut browser, wrong);
    assert!(problems.contains("the hook load, line 3:") && problems.contains("two"), "{problems}");
    let right = "@group(1) @binding(0) var<storage, read> values: array<Element>;
        fn load(layer: u32, y: u32, x: u32) -> Element {
            return 0.5 * values[(layer * 32u + y) * 60u + x];
        }";
    assert_eq!(with_hook(&mut browser, right), "");
    browser.run("document.getElementById('verify').click()");
    let said = browser.wait("a check of the hook", |browser| {
        let said = browser.run("document.getElementById('status').textContent");
        said.as_str().filter(|said| said.contains(": ")).map(str::to_owned)
    });
    assert!(said.starts_with("Right: "), "{said}");
    assert!(browser.run("location.search").as_str().unwrap().contains("load="));
    assert_eq!(browser.errors(), Vec::<String>::new());

    // In a page without anything else.
    browser.visit(&site.url("seaway.css"));
    let [input, output] = run_host(&mut browser, &host);
    let task = Descriptor::image([60, 32]);
    let numbers = 2 * 60 * 32;
    for image in 0..4 {
        let part = |all: &[f64]| complex(&all[image * numbers..][..numbers]);
        let exact = transform(part(&input), &task, &mut Lines::default()).unwrap();
        let error = Accuracy::between(&part(&output), &exact).relative_l2;
        tolerance::at_most(error, GATE, "60 x 32 by the host");
    }
}

/// A file that needs no server, for each form of the host's check.
#[test]
#[ignore = "scripts/test-web runs it: it takes the built pages and a browser"]
fn a_file_of_kernels_checks_itself() {
    let mut browser = Browser::open([1000, 900]);
    let inverse = Direction::Inverse;
    let ortho = Normalization::Ortho;
    let image = || Descriptor { batch: 3, ..Descriptor::image([12, 10]) };
    let mut with_texture = lab::Configuration::from(lab::Algorithm::FourStep);
    with_texture.set("twiddles", Some(lab::Value::Choice("texture"))).unwrap();
    for task in [
        Descriptor { layout: Layout::Pair, direction: inverse, ..image() },
        Descriptor { placement: Placement::InPlace, ..image().real() },
        Descriptor { direction: inverse, ..image().real() },
        Descriptor { normalization: ortho, ..image() }.by(lab::Algorithm::Bluestein),
        Descriptor { kind: Kind::Dct1, normalization: ortho, ..image() },
        Descriptor { kind: Kind::Dct2, normalization: ortho, ..Descriptor::volume([6, 5, 4]) },
        Descriptor { kind: Kind::Dct2, direction: inverse, normalization: ortho, ..image() },
        Descriptor { kind: Kind::Dct4, ..Descriptor::lines(9, 5) },
        // Two rows of texels.
        Descriptor::lines(9000, 2).by(with_texture),
    ] {
        let program = lab::program(&task, &Capabilities::webgpu_defaults()).unwrap();
        let sheet = Sheet::new(&task, &program);
        let file = browser.folder.path().join("kernels.html");
        std::fs::write(&file, html::page(&sheet)).unwrap();
        browser.visit(&format!("file://{}", file.display()));
        let run = "document.getElementById('host-run')";
        browser.wait("the button", |browser| {
            (browser.run(&format!("{run}?.disabled")) == false).then_some(())
        });
        browser.run(&format!("{run}.click()"));
        let said = browser.wait("the check", |browser| {
            let said = browser.run("document.getElementById('host-status').textContent");
            said.as_str().filter(|said| said.contains("rror")).map(str::to_owned)
        });
        println!("{}: {said}", sheet.title);
        assert!(said.ends_with(": right"), "{}: {said}", sheet.title);
        assert_eq!(browser.errors(), Vec::<String>::new());
    }
}
