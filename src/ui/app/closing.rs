//! The window's size, title and end.

use std::time::{Duration, Instant};

use batch::worker::{FilesRequest, ProjectTask};

use super::super::apply::{note_place, on_close};
use super::super::command::{Command, Commands, ProjectCommand};
use super::super::debounce::Debounced;
use super::super::end_request::Ending;
use super::super::widgets::name_window;
use super::IronCropperApp;

/// How long the window manager may take to maximise the window.
const TIME_TO_MAXIMIZE: Duration = Duration::from_secs(2);

/// When it is asked again.
const MAXIMIZE_AGAIN: Duration = Duration::from_millis(100);

impl IronCropperApp {
    /// Ends the window at the system's request.
    pub(super) fn watch_end(&mut self, ctx: &egui::Context) {
        match self.end.next_step(self.state.is_ready_to_end(), Instant::now()) {
            Ending::No => {}
            Ending::Begin => {
                self.apply_command(ctx, vec![Command::Project(ProjectCommand::EndForSystem)]);
                ctx.request_repaint();
            }
            Ending::Wait(time) => ctx.request_repaint_after(time),
            Ending::Close => ctx.send_viewport_cmd(egui::ViewportCommand::Close),
        }
    }

    /// Asks before the window closes if changes would be lost, and updates the window title.
    pub(super) fn watch_project(&mut self, ctx: &egui::Context) {
        if ctx.input(|input| input.viewport().close_requested()) {
            match on_close(&self.state) {
                Some(command) => {
                    ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
                    self.apply_command(ctx, vec![command]);
                }
                None => self.state.list.project.closing = true,
            }
        }
        let title = self.state.title();
        name_window(ctx, &title);
        if title != self.title {
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }

    /// Records the window's size for the next start.
    pub(super) fn watch_window(&mut self, ctx: &egui::Context, commands: &mut Commands) {
        let zoom = ctx.zoom_factor();
        let (maximized, inner) = ctx.input(|input| (input.viewport().maximized, input.viewport().inner_rect));
        let Some(inner) = inner else { return };
        self.to_maximize.take_if(|opened| maximized == Some(true) || opened.elapsed() > TIME_TO_MAXIMIZE);
        if self.to_maximize.is_some() {
            // X11 ignores the request while the window is not shown.
            ctx.send_viewport_cmd(egui::ViewportCommand::Maximized(true));
            ctx.request_repaint_after(MAXIMIZE_AGAIN);
            return;
        }
        let mut window = self.state.settings.window;
        window.maximized = maximized.unwrap_or(false);
        if !window.maximized {
            (window.width, window.height) = ((inner.width() * zoom).round(), (inner.height() * zoom).round());
        }
        if window != self.state.settings.window {
            commands.push(Command::SetWindow(window));
        }
    }

    /// Sends what has to be written when the window closes; the answers are not awaited.
    pub(super) fn end_work(&mut self) {
        note_place(&mut self.state);
        if !self.state.keeps_autosave() {
            // Nothing needs to be recovered.
            self.port.send(FilesRequest::Project(ProjectTask::DeleteAutosave).into());
        }
        if self.settings_debounce.poll(&self.state.settings, f64::INFINITY) == Debounced::Now {
            self.port.send(FilesRequest::SaveSettings(Box::new(self.state.user_settings())).into());
        }
    }
}
