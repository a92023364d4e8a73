//! The dock: a panel of adjustable height along the bottom, for wide contents.

use egui::{Align, Context, Layout, Rect, RichText, Sense, Ui, pos2, vec2};

use super::{
    CARD_OUTER_WIDTH, Command, MARGIN, PanelData, compare, measure, rows, theme, timeline,
};
use crate::app::input::Action;
use crate::app::session::{DockTab, Session};

/// With less width between the side cards, the dock goes below them.
const MIN_WIDTH: f32 = 450.0;
/// Height kept for side cards above the dock, if there is that much.
const MIN_CARD_HEIGHT: f32 = 120.0;
const MIN_HEIGHT: f32 = 110.0;

/// The tabs: name, description, and the action that opens and closes each.
pub(super) const TABS: [(DockTab, &str, &str, Action); 3] = [
    (DockTab::Timeline, "Timeline", "Where the time of each frame goes (P)", Action::Timeline),
    (DockTab::Compare, "Compare FFTs", "FFTs side by side (C)", Action::CompareFfts),
    (
        DockTab::Measure,
        "Measure",
        "The sea as measured, beside the theoretical values (M)",
        Action::Measure,
    ),
];

/// The dock's place, and the room that it leaves to the cards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub rect: Rect,
    /// Height that it leaves to the card on the left.
    pub left_height: f32,
    /// Height that it leaves to the card on the right.
    pub right_height: f32,
}

impl Place {
    /// Places a dock of `height` points in a window of `screen`, with or without cards on its sides.
    pub fn of(screen: Rect, height: f32, has_left: bool, has_right: bool) -> Self {
        let inner = screen.shrink(MARGIN);
        let whole = inner.height().max(40.0);
        let beside = |has: bool| if has { CARD_OUTER_WIDTH + MARGIN } else { 0.0 };
        let (left, right) = (beside(has_left), beside(has_right));
        // Between both; below the right one; below both.
        let (below_left, below_right) = if inner.width() - left - right >= MIN_WIDTH {
            (false, false)
        } else if inner.width() - left >= MIN_WIDTH {
            (false, has_right)
        } else {
            (has_left, has_right)
        };
        let kept = if below_left || below_right { MIN_CARD_HEIGHT + MARGIN } else { 0.0 };
        let highest = (whole - kept).max(0.6 * whole);
        let height = height.clamp(MIN_HEIGHT.min(highest), highest);
        let top_left =
            pos2(inner.left() + if below_left { 0.0 } else { left }, inner.bottom() - height);
        let right = inner.right() - if below_right { 0.0 } else { right };
        let left_over = |is_below: bool| {
            if is_below { (whole - height - MARGIN).max(40.0) } else { whole }
        };
        Self {
            rect: Rect::from_min_max(top_left, pos2(right.max(top_left.x + 1.0), inner.bottom())),
            left_height: left_over(below_left),
            right_height: left_over(below_right),
        }
    }
}

pub(super) fn show(
    context: &Context,
    place: Place,
    tab: DockTab,
    session: &mut Session,
    data: &PanelData<'_>,
    commands: &mut Vec<Command>,
) {
    let id = egui::Id::unique("dock");
    let rect = place.rect;
    egui::Area::new(id)
        .fixed_pos(rect.min)
        .order(egui::Order::Middle)
        .constrain(false)
        .fade_in(false)
        .show(context, |ui| {
            ui.set_max_size(rect.size());
            let frame = theme::card();
            let inner = (rect.size() - frame.total_margin().sum()).max(vec2(1.0, 1.0));
            frame.show(ui, |ui| {
                ui.set_min_size(inner);
                ui.set_max_size(inner);
                ui.set_clip_rect(rect.intersect(ui.clip_rect()));
                rows::buttons(ui, |ui| tabs(ui, tab, session));
                match tab {
                    DockTab::Timeline => timeline::show(ui, session, data),
                    DockTab::Compare => compare::show(ui, session, data, commands),
                    DockTab::Measure => measure::show(ui, data),
                }
            });
            height(ui, id, rect, session);
        });
}

/// Lets the user drag the upper edge.
fn height(ui: &mut Ui, id: egui::Id, rect: Rect, session: &mut Session) {
    let edge = Rect::from_min_max(rect.left_top(), pos2(rect.right(), rect.top() + 6.0));
    let edge = ui
        .interact(edge, id.with("height"), Sense::drag())
        .on_hover_and_drag_cursor(egui::CursorIcon::ResizeVertical);
    if edge.dragged() {
        // From what is shown, which may be less than what was wished for.
        let height = f64::from(rect.height() - edge.drag_delta().y);
        let (low, high) = Session::DOCK_HEIGHTS.into_inner();
        session.dock_height = height.clamp(low, high);
    }
    if edge.hovered() || edge.dragged() {
        let stroke = egui::Stroke::new(2.0, theme::ACCENT);
        ui.painter().hline(rect.x_range().shrink(8.0), rect.top() + 1.0, stroke);
    }
}

fn tabs(ui: &mut Ui, tab: DockTab, session: &mut Session) {
    for (each, name, help, _) in TABS {
        let name = RichText::new(name).strong();
        if ui.selectable_label(each == tab, name).on_hover_text(help).clicked() {
            session.dock = Some(each);
        }
    }
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        if ui.button("Close").clicked() {
            session.dock = None;
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(width: f32, height: f32, wanted: f32, cards: bool) -> Place {
        let screen = Rect::from_min_size(egui::Pos2::ZERO, vec2(width, height));
        Place::of(screen, wanted, cards, cards)
    }

    #[test]
    fn the_dock_lies_between_the_cards_or_below_them() {
        let wide = of(1280.0, 720.0, 280.0, true);
        assert_eq!((wide.rect.left(), wide.rect.right()), (322.0, 958.0));
        assert_eq!((wide.rect.height(), wide.rect.bottom()), (280.0, 712.0));
        assert_eq!((wide.left_height, wide.right_height), (704.0, 704.0));
        let middle = of(960.0, 540.0, 280.0, true);
        assert_eq!((middle.rect.left(), middle.rect.right()), (322.0, 952.0));
        assert_eq!((middle.left_height, middle.right_height), (524.0, 236.0));
        let narrow = of(640.0, 360.0, 280.0, true);
        assert_eq!((narrow.rect.left(), narrow.rect.right()), (8.0, 632.0));
        assert_eq!(narrow.left_height, narrow.right_height);
        assert!(narrow.left_height >= MIN_CARD_HEIGHT, "{narrow:?}");
        let alone = of(1280.0, 720.0, 280.0, false);
        assert_eq!((alone.rect.left(), alone.rect.right()), (8.0, 1272.0));
    }

    #[test]
    fn it_stays_in_the_window() {
        for (width, height) in
            [(1.0, 1.0), (64.0, 64.0), (300.0, 200.0), (960.0, 540.0), (4e3, 2e3)]
        {
            for wanted in [0.0, 120.0, 1e4] {
                for cards in [false, true] {
                    let place = of(width, height, wanted, cards);
                    let Place { rect, left_height, right_height } = place;
                    assert!(rect.is_finite() && left_height > 0.0 && right_height > 0.0);
                    if width >= 64.0 && height >= 64.0 {
                        let screen = Rect::from_min_size(egui::Pos2::ZERO, vec2(width, height));
                        assert!(screen.contains_rect(rect), "{place:?}");
                    }
                }
            }
        }
    }
}
