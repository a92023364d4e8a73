//! The panels with a workspace behind them, as the program shows them, without a window or a GPU: events in,
//! accessibility tree and shapes out. It covers new panels, keys and commands by itself.

use egui::{Event, Modifiers, PointerButton, Pos2, Rect, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use winit::keyboard::KeyCode;

use super::super::*;
use crate::app::history::handmade;
use crate::app::input::{self, Press, Route};
use crate::app::workspace::Workspace;
use crate::bench::comparison::Running;
use crate::settings::UserPresets;

pub(super) struct World {
    pub workspace: Workspace,
    capabilities: Capabilities,
    history: History,
    pub capture: Option<(usize, usize)>,
    pub shader_error: Option<String>,
    pub comparing: Option<Running>,
    pub measuring: MeasuringData,
    /// Commands left to the window.
    pub left: Vec<Command>,
    pub has_frame: bool,
    folder: tempfile::TempDir,
}

impl World {
    fn new(prepare: impl FnOnce(&std::path::Path)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        prepare(folder.path());
        let mut session = Session::default();
        session.settle_quality(QualityTier::Low, None);
        Self {
            workspace: Workspace::new(session, Some(UserPresets::at(folder.path().to_owned()))),
            capabilities: Capabilities::webgpu_defaults(),
            history: handmade::usual(1..41),
            capture: None,
            shader_error: None,
            comparing: None,
            measuring: MeasuringData::default(),
            left: Vec::new(),
            has_frame: true,
            folder,
        }
    }

    fn show(&mut self, ui: &mut egui::Ui) {
        let Self { workspace, capabilities, history, .. } = self;
        let (toasts, gpu_errors) = (workspace.messages.toasts(), workspace.messages.gpu_errors());
        let summary = SeaSummary::of(&workspace.session.scene.sea);
        let commands = workspace.edit(|session, workspace| {
            let data = PanelData {
                has_frame: self.has_frame,
                capture: self.capture,
                shader_error: self.shader_error.as_deref(),
                comparing: self.comparing.as_ref().map(Running::progress),
                measuring: &self.measuring,
                toasts: &toasts,
                gpu_errors: &gpu_errors,
                workspace,
                ..PanelData::plain(capabilities, history, &summary)
            };
            let commands = show(ui, session, &data);
            (commands, keyboard::gesture(ui.ctx()))
        });
        for command in commands {
            self.left.extend(self.workspace.command(command, Some(&self.capabilities)));
        }
    }
}

pub(super) struct Bench {
    pub harness: Harness<'static, World>,
}

impl Bench {
    pub fn new(size: [f32; 2]) -> Self {
        Self::prepared(size, |_| ())
    }

    /// Prepares files in the folder of presets first.
    pub fn prepared(size: [f32; 2], prepare: impl FnOnce(&std::path::Path)) -> Self {
        let harness = Harness::builder()
            .with_size(size)
            .with_max_steps(12)
            .with_context_setup(theme::apply)
            .allow_missing_glyphs()
            .build_ui_state(|ui, world: &mut World| world.show(ui), World::new(prepare));
        let mut bench = Self { harness };
        bench.settle();
        bench
    }

    pub fn world(&mut self) -> &mut World {
        self.harness.state_mut()
    }

    pub fn session(&self) -> &Session {
        &self.harness.state().workspace.session
    }

    pub fn folder(&self) -> &std::path::Path {
        self.harness.state().folder.path()
    }

    pub fn frame(&mut self, events: Vec<Event>) {
        self.harness.input_mut().events = events;
        self.harness.step();
    }

    /// Runs a few frames without events.
    pub fn settle(&mut self) {
        for _ in 0..3 {
            self.frame(Vec::new());
        }
    }

    /// Presses a key as a user does: it goes where the program would send it.
    pub fn press(&mut self, key: KeyCode) {
        self.press_with(key, Modifiers::NONE);
    }

    pub fn press_with(&mut self, key: KeyCode, modifiers: Modifiers) {
        let name = egui_key(key);
        let press = Press {
            key,
            character: character(key),
            command: modifiers.command,
            shift: modifiers.shift,
        };
        let keyboard = keyboard::of(&self.harness.ctx, self.session());
        match input::route(press, keyboard) {
            Route::Panels => {
                let Some(key) = name else { return };
                let event = |pressed| Event::Key {
                    key,
                    physical_key: None,
                    pressed,
                    repeat: false,
                    modifiers,
                };
                self.frame(vec![event(true)]);
                self.frame(vec![event(false)]);
            }
            Route::Workspace(action) => {
                let World { workspace, capabilities, left, .. } = self.world();
                left.extend(workspace.act(action, Some(capabilities)).map(Command::Action));
                self.frame(Vec::new());
            }
            Route::Camera => self.frame(Vec::new()),
        }
        self.frame(Vec::new());
    }

    /// Presses and releases a mouse button.
    pub fn click_at(&mut self, pos: Pos2) {
        self.frame(vec![Event::PointerMoved(pos)]);
        for pressed in [true, false] {
            self.frame(vec![button(pos, pressed)]);
        }
        self.frame(Vec::new());
    }

    pub fn drag(&mut self, from: Pos2, to: Pos2) {
        self.frame(vec![Event::PointerMoved(from)]);
        self.frame(vec![button(from, true)]);
        for step in 1..=5_u8 {
            self.frame(vec![Event::PointerMoved(from.lerp(to, f32::from(step) / 5.0))]);
        }
        self.frame(vec![button(to, false)]);
        self.frame(Vec::new());
    }

    /// Clicks the control of that name, wherever it is scrolled to. In an open list, this chooses, and the
    /// list closes as after a mouse click.
    pub fn click(&mut self, name: &str) {
        let was_open = egui::Popup::is_any_open(&self.harness.ctx);
        self.harness.get_by_label(name).click_accesskit();
        self.harness.run_steps(3);
        if was_open && egui::Popup::is_any_open(&self.harness.ctx) {
            self.press(KeyCode::Escape);
        }
    }

    /// The names of everything that can be clicked or edited at present.
    pub fn controls(&self) -> Vec<(String, Rect)> {
        let nodes = self.harness.root().children_recursive();
        nodes
            .filter(|node| egui::accessibility::is_input(node.accesskit_node().role()))
            .filter(|node| !node.accesskit_node().is_disabled())
            .map(|node| {
                let access = node.accesskit_node();
                (format!("{:?} {:?}", access.role(), access.label()), node.rect())
            })
            .collect()
    }

    pub fn said(&self) -> Vec<String> {
        let toasts = self.harness.state().workspace.messages.toasts();
        toasts.into_iter().map(|toast| toast.text).collect()
    }

    pub fn resize(&mut self, size: Vec2) {
        self.harness.set_size(size);
        self.frame(Vec::new());
    }
}

pub(super) fn button(pos: Pos2, pressed: bool) -> Event {
    let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
    Event::PointerButton { pos, button, pressed, modifiers }
}

/// egui's name for a key, if it has one.
pub(super) fn egui_key(key: KeyCode) -> Option<egui::Key> {
    let name = format!("{key:?}");
    let name = name.strip_prefix("Key").or(name.strip_prefix("Digit")).unwrap_or(&name);
    let name = match name {
        "ArrowUp" => "Up",
        "ArrowDown" => "Down",
        "ArrowLeft" => "Left",
        "ArrowRight" => "Right",
        "BracketLeft" => "OpenBracket",
        "BracketRight" => "CloseBracket",
        name => name,
    };
    egui::Key::from_name(name)
}

fn character(key: KeyCode) -> Option<char> {
    let name = format!("{key:?}");
    let name = name.strip_prefix("Key").or(name.strip_prefix("Digit"));
    match (key, name) {
        (KeyCode::Minus, _) => Some('-'),
        (KeyCode::Equal, _) => Some('='),
        (_, name) => name?.chars().next(),
    }
}
