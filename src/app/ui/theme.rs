//! The panels' style: small, dark, as translucent as legibility over white water allows.

use egui::{Color32, CornerRadius, FontFamily, FontId, Margin, Shadow, Stroke, TextStyle, vec2};

/// Highlighted values and selections.
pub(in crate::app) const ACCENT: Color32 = Color32::from_rgb(0x6c, 0xc9, 0xd8);
pub(in crate::app) const ERROR: Color32 = Color32::from_rgb(0xff, 0x8a, 0x7a);
pub(in crate::app) const NOTICE: Color32 = Color32::from_rgb(0xf2, 0xc4, 0x7c);
pub(in crate::app) const FOCUS: Color32 = Color32::from_rgb(0xff, 0xd5, 0x6a);
pub(in crate::app) const TEXT: Color32 = Color32::from_rgb(0xdc, 0xe6, 0xec);
pub(in crate::app) const WEAK: Color32 = Color32::from_rgb(0xa6, 0xb4, 0xbf);

/// Colours of scopes and passes in the profiler, told apart by hue and lightness.
pub(in crate::app) const SERIES: [Color32; 8] = [
    Color32::from_rgb(0x6c, 0xc9, 0xd8),
    Color32::from_rgb(0xf2, 0xb1, 0x5c),
    Color32::from_rgb(0x9b, 0xd2, 0x6a),
    Color32::from_rgb(0xd9, 0x8c, 0xd8),
    Color32::from_rgb(0xf0, 0x7d, 0x6b),
    Color32::from_rgb(0x7d, 0x9c, 0xf2),
    Color32::from_rgb(0xe6, 0xdf, 0x7a),
    Color32::from_rgb(0xb5, 0xb9, 0xc2),
];

/// The colour of a lane of the profiler: those of [`SERIES`], then paler and darker ones, all legible on a
/// panel.
pub(in crate::app) fn lane(index: usize) -> Color32 {
    let colour = SERIES[index % SERIES.len()];
    match index / SERIES.len() % 3 {
        0 => colour,
        1 => colour.lerp_to_gamma(Color32::WHITE, 0.55),
        _ => colour.lerp_to_gamma(Color32::BLACK, 0.25),
    }
}

/// The ground of pictures in a panel, calm for thin lines.
pub(in crate::app) const WELL: Color32 = Color32::from_rgba_unmultiplied_const(5, 9, 13, 224);

pub(in crate::app) fn card() -> egui::Frame {
    egui::Frame::new()
        .fill(Color32::from_rgba_unmultiplied(10, 16, 22, 232))
        .stroke(Stroke::new(1.0, Color32::from_white_alpha(20)))
        .corner_radius(CornerRadius::same(7))
        .inner_margin(Margin::symmetric(10, 8))
}

/// A message's background, which may lie over a panel.
pub(in crate::app) fn message() -> egui::Frame {
    card().fill(Color32::from_rgb(10, 16, 22))
}

/// The fonts of a page: one for all text, whose digits have one width. A second one would add 0.15 MB to its
/// download.
#[cfg(any(target_family = "wasm", all(test, feature = "cli")))]
fn page_fonts() -> egui::FontDefinitions {
    const NAME: &str = "Ubuntu-Light";
    let mut fonts = egui::FontDefinitions::empty();
    let data = egui::FontData::from_static(epaint_default_fonts::UBUNTU_LIGHT);
    fonts.font_data.insert(NAME.to_owned(), std::sync::Arc::new(data));
    for family in [FontFamily::Proportional, FontFamily::Monospace] {
        fonts.families.insert(family, vec![NAME.to_owned()]);
    }
    fonts
}

pub(in crate::app) fn apply(context: &egui::Context) {
    // Ctrl with + and - changes the session, which is kept.
    context.options_mut(|options| options.zoom_with_keyboard = false);
    context.set_theme(egui::Theme::Dark);
    #[cfg(target_family = "wasm")]
    context.set_fonts(page_fonts());
    context.all_styles_mut(|style| {
        let font = |size| FontId::new(size, FontFamily::Proportional);
        style.text_styles = [
            (TextStyle::Small, font(11.0)),
            (TextStyle::Body, font(12.5)),
            (TextStyle::Button, font(12.5)),
            (TextStyle::Heading, font(15.0)),
            (TextStyle::Monospace, FontId::new(11.5, FontFamily::Monospace)),
        ]
        .into();
        let spacing = &mut style.spacing;
        spacing.item_spacing = vec2(6.0, 3.0);
        spacing.button_padding = vec2(6.0, 2.0);
        spacing.interact_size = vec2(34.0, 17.0);
        spacing.indent = 10.0;
        spacing.slider_width = 84.0;
        spacing.slider_rail_height = 4.0;
        spacing.icon_width = 12.0;
        spacing.icon_width_inner = 7.0;
        spacing.icon_spacing = 4.0;
        spacing.combo_width = 60.0;
        spacing.tooltip_width = 280.0;
        spacing.scroll = egui::style::ScrollStyle::thin();

        let visuals = &mut style.visuals;
        visuals.override_text_color = Some(TEXT);
        visuals.weak_text_color = Some(WEAK);
        visuals.hyperlink_color = ACCENT;
        visuals.error_fg_color = ERROR;
        visuals.selection.bg_fill = Color32::from_rgb(0x1f, 0x6b, 0x7c);
        visuals.selection.stroke = Stroke::new(1.0, Color32::WHITE);
        visuals.extreme_bg_color = Color32::from_black_alpha(120);
        // Lists lie over other text.
        visuals.window_fill = Color32::from_rgb(13, 20, 27);
        visuals.window_stroke = Stroke::new(1.0, Color32::from_white_alpha(24));
        visuals.window_corner_radius = CornerRadius::same(7);
        visuals.menu_corner_radius = CornerRadius::same(5);
        visuals.window_shadow = Shadow::NONE;
        visuals.popup_shadow = Shadow::NONE;
        visuals.slider_trailing_fill = true;
        visuals.indent_has_left_vline = false;
        let widgets = &mut visuals.widgets;
        for widget in [
            &mut widgets.inactive,
            &mut widgets.hovered,
            &mut widgets.active,
            &mut widgets.open,
            &mut widgets.noninteractive,
        ] {
            widget.corner_radius = CornerRadius::same(4);
            widget.expansion = 0.0;
        }
        widgets.inactive.bg_fill = Color32::from_white_alpha(26);
        widgets.inactive.weak_bg_fill = Color32::from_white_alpha(16);
        widgets.hovered.bg_fill = Color32::from_white_alpha(48);
        widgets.hovered.weak_bg_fill = Color32::from_white_alpha(28);
        widgets.hovered.bg_stroke = Stroke::new(1.0, Color32::from_white_alpha(40));
        widgets.active.bg_fill = Color32::from_white_alpha(70);
        widgets.active.weak_bg_fill = Color32::from_white_alpha(34);
        widgets.open.weak_bg_fill = Color32::from_white_alpha(32);
        widgets.noninteractive.bg_stroke = Stroke::new(1.0, Color32::from_white_alpha(22));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blends `over` onto `under` as the window does: encoded values, premultiplied.
    fn blend(over: Color32, under: [f64; 3]) -> [f64; 3] {
        let [r, g, b, a] = over.to_array().map(f64::from);
        let kept = 1.0 - a / 255.0;
        [r + under[0] * kept, g + under[1] * kept, b + under[2] * kept]
    }

    /// WCAG 2.2, relative luminance of an sRGB colour.
    fn luminance(colour: [f64; 3]) -> f64 {
        let linear = colour.map(|value| {
            let value = value / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    /// WCAG 2.2, contrast ratio, 1 to 21.
    fn contrast(text: Color32, ground: [f64; 3]) -> f64 {
        let (one, other) = (luminance(blend(text, ground)), luminance(ground));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn text_is_legible_over_white_water() {
        assert!((contrast(Color32::WHITE, [0.0; 3]) - 21.0).abs() < 1e-9);
        // WCAG 2.2's level AA for text, success criterion 1.4.3.
        const LEAST: f64 = 4.5;
        let context = egui::Context::default();
        apply(&context);
        let visuals = context.global_style().visuals.clone();
        let white = [255.0; 3];
        let widgets = &visuals.widgets;
        let on_buttons = [widgets.inactive, widgets.hovered, widgets.active, widgets.open]
            .map(|widget| widget.weak_bg_fill);
        let texts = [TEXT, WEAK, ACCENT, ERROR, NOTICE, FOCUS, Color32::WHITE];
        for (name, ground) in [
            ("a card", blend(card().fill, white)),
            ("a message", blend(message().fill, white)),
            ("a list", blend(visuals.window_fill, white)),
        ] {
            for text in texts.into_iter().chain(SERIES) {
                let ratio = contrast(text, ground);
                assert!(ratio >= LEAST, "{text:?} on {name}: {ratio:.2}");
            }
            for fill in on_buttons {
                for text in [TEXT, WEAK, ACCENT] {
                    let ratio = contrast(text, blend(fill, ground));
                    assert!(ratio >= LEAST, "{text:?} on a button {fill:?} of {name}: {ratio:.2}");
                }
            }
            let chosen = blend(visuals.selection.bg_fill, ground);
            assert!(contrast(TEXT, chosen) >= LEAST, "{:.2}", contrast(TEXT, chosen));
        }
    }

    /// A page shows figures below one another in the font of its text, without another one for what is missing.
    #[cfg(feature = "cli")]
    #[test]
    fn the_font_of_pages_has_every_character() {
        use ab_glyph::Font as _;

        let fonts = page_fonts();
        let data = fonts.font_data.values().next().unwrap();
        let font = ab_glyph::FontRef::try_from_slice((*data.font).as_ref()).unwrap();
        let width = |character| font.h_advance_unscaled(font.glyph_id(character));
        assert!(('1'..='9').all(|digit| width(digit) == width('0')));
        let mut folders = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/app")];
        let mut shown = std::collections::BTreeSet::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() && !path.ends_with("tests") {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let text = std::fs::read_to_string(&path).unwrap();
                    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
                    shown.extend(code.flat_map(str::chars).filter(|c| !c.is_control()));
                }
            }
        }
        assert!(shown.contains(&'°'));
        let missing: Vec<_> = shown.iter().filter(|c| font.glyph_id(**c).0 == 0).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
