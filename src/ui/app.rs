//! Connects state, worker and panels to eframe.

mod closing;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use batch::settings::{Settings, ThemeChoice};
use batch::worker::{ProbesRequest, Request, RequestId, WorkerPort};
use cancel::Generation;
use recipe::{DecodeLimits, RuntimeOptions};

use super::apply::{apply, apply_no_picker, apply_picked, apply_picker_busy, apply_picker_opened, open_runtime};
use super::auto_dismiss::AutoDismiss;
use super::command::{Command, Commands, Effect, NamesCommand, ProjectCommand};
use super::debounce::{Debounce, Debounced};
use super::diagnostics::add_screen;
use super::dialogs::{FilePicker, NoDialog};
use super::end_request::WindowEnd;
use super::event_order::EventOrder;
use super::file_manager::FileManager;
use super::handle_event::{handle_event, handle_worker_exit};
use super::input::PassInput;
use super::language::{
    FontFallback, Language, add_symbols, current, fonts_have_glyphs, request_system_fonts, set_current, tr,
};
use super::messages;
use super::notification::{Notify, notify_in_background};
use super::opened::OpenedFiles;
use super::run::WindowOptions;
use super::state::{AppState, Detail, NoticeKind, PreviewKey};
use super::textures::Textures;
use super::widgets::{Focus, Semantics, move_to_area, seek_setting};
use super::wishes::{SystemWishes, Wishes};
use super::{panels, theme};

/// Debounce delay of the preview, in seconds.
const PREVIEW_WAIT_S: f64 = 0.12;

/// Debounce delay of runtime options, model and decode limits, in seconds.
const REOPEN_WAIT_S: f64 = 0.6;

/// Seconds after which opening a runtime is reported as slow.
const SLOW_OPENING_S: f64 = 10.0;

/// Debounce delay of saving the settings, in seconds.
const SAVE_WAIT_S: f64 = 1.0;

/// Time budget per frame for updating the list: a quarter of a frame at 60 frames per second.
const LIST_TIME: Duration = Duration::from_millis(4);
/// Debounce delay of autosaving the list for crash recovery, in seconds.
const AUTOSAVE_WAIT_S: f64 = 2.0;

/// Debounce delay of searching for an interrupted export, in seconds after list or output folder changed.
const UNFINISHED_WAIT_S: f64 = 0.5;

/// The eframe application: `logic` handles events from the worker, `ui` draws and collects commands.
pub struct IronCropperApp {
    state: AppState,
    port: Box<dyn WorkerPort>,
    picker: Box<dyn FilePicker>,
    textures: Textures,
    preview_debounce: Debounce<Option<PreviewKey>>,
    /// The requested detail, and the generation of the photo at the time of the request.
    detail_debounce: Debounce<Option<(Detail, Generation)>>,
    settings_debounce: Debounce<Settings>,
    limits_debounce: Debounce<DecodeLimits>,
    /// Options the runtime is opened with.
    opening_debounce: Debounce<(Option<PathBuf>, RuntimeOptions)>,
    /// The pending request that opens the runtime.
    slow_opening: Debounce<Option<RequestId>>,
    auto_dismiss: AutoDismiss,
    applied_theme: Option<(ThemeChoice, f32, Wishes)>,
    system_language: Language,
    font_fallback: FontFallback,
    /// The language whose fallback fonts were requested from the system.
    fonts_requested_for: Language,
    /// The chosen language, if no font has its glyphs.
    missing_glyphs: Option<Language>,
    /// Key of the list's state, for autosaving.
    autosave_debounce: Debounce<(u64, Option<u64>, bool)>,
    /// Key of the search for an interrupted export.
    unfinished_debounce: Debounce<Option<(PathBuf, usize)>>,
    title: String,
    opened: OpenedFiles,
    wishes: SystemWishes,
    file_manager: FileManager,
    end: WindowEnd,
    /// When the window was opened, until it is maximised as it was left.
    to_maximize: Option<Instant>,
    notify: Notify,
}

impl IronCropperApp {
    /// Creates the app, opens the runtime and imports `options.paths`.
    pub fn new(
        ctx: &egui::Context,
        port: Box<dyn WorkerPort>,
        picker: Box<dyn FilePicker>,
        options: WindowOptions,
    ) -> Self {
        ctx.add_plugin(EventOrder::default());
        ctx.add_plugin(Focus::default());
        ctx.add_plugin(Semantics);
        add_symbols(ctx);
        // The zoom actions do this instead, so that the scale is saved in the settings.
        ctx.options_mut(|options| options.zoom_with_keyboard = false);
        let WindowOptions {
            settings,
            settings_notice,
            paths,
            opened,
            wishes,
            runtime,
            model,
            session,
            samples,
            system_language,
            font_fallback,
            without_drops,
            renderer,
            display,
            cameras,
            show_in_folder,
            ending,
            notify,
        } = options;
        let mut settings_debounce = Debounce::new(SAVE_WAIT_S);
        settings_debounce.accept(&settings);
        let mut limits_debounce = Debounce::new(REOPEN_WAIT_S);
        limits_debounce.accept(&settings.limits);
        let mut state = AppState::new(settings);
        state.runtime.choice = runtime.unwrap_or(state.runtime.choice);
        state.runtime.model = model.or(state.runtime.model);
        state.runtime.options = session.over(&state.runtime.options);
        (state.list.samples, state.without_drops) = (samples, without_drops);
        (state.renderer, state.display, state.camera.offered) = (renderer, display, cameras);
        if let Some(notice) = &settings_notice {
            state.dialogs.notices.add(NoticeKind::Warning, messages::settings_notice(notice));
        }
        let mut opening_debounce = Debounce::new(REOPEN_WAIT_S);
        opening_debounce.accept(&(state.runtime.model.clone(), state.runtime.options.clone()));
        let mut autosave_debounce = Debounce::new(AUTOSAVE_WAIT_S);
        autosave_debounce.accept(&state.autosave_key());
        let mut unfinished_debounce = Debounce::new(UNFINISHED_WAIT_S);
        unfinished_debounce.accept(&None);
        let mut app = Self {
            autosave_debounce,
            unfinished_debounce,
            opened,
            wishes,
            file_manager: FileManager::new(show_in_folder),
            end: WindowEnd::new(ending),
            to_maximize: state.settings.window.maximized.then(Instant::now),
            notify,
            title: state.title(),
            state,
            port,
            picker,
            textures: Textures::default(),
            preview_debounce: Debounce::new(PREVIEW_WAIT_S),
            detail_debounce: Debounce::new(PREVIEW_WAIT_S),
            settings_debounce,
            limits_debounce,
            opening_debounce,
            slow_opening: Debounce::new(SLOW_OPENING_S),
            auto_dismiss: AutoDismiss::default(),
            applied_theme: None,
            system_language: system_language.unwrap_or(Language::English),
            // The fonts that eframe sets up are used until another language is chosen.
            fonts_requested_for: Language::English,
            font_fallback,
            missing_glyphs: None,
        };
        app.apply_language();
        let mut effects = Vec::new();
        open_runtime(&mut app.state, &mut effects);
        app.apply_theme(ctx);
        app.run_effects(ctx, effects);
        app.apply_command(
            ctx,
            vec![
                // First, so that files that were being read at a crash are quarantined before the import.
                Command::Project(ProjectCommand::BeginSession),
                Command::Project(ProjectCommand::FindRecoverable),
                Command::Import(paths),
            ],
        );
        app
    }

    /// Applies commands and runs their effects.
    fn apply_command(&mut self, ctx: &egui::Context, commands: Commands) {
        let mut effects = Vec::new();
        for command in commands {
            apply(&mut self.state, command, Instant::now(), &mut effects);
            // One by one: the requests that a command sends are recorded before the next command reads the state.
            self.run_effects(ctx, std::mem::take(&mut effects));
        }
    }

    fn run_effects(&mut self, ctx: &egui::Context, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Send(request) => self.send(&request),
                Effect::Diagnose(mut spec) => {
                    add_screen(&mut spec, ctx, current());
                    self.send(&ProbesRequest::Diagnose(spec).into());
                }
                Effect::Cancel(id) => self.port.cancel(id),
                Effect::Pause(id, paused) => self.port.pause(id, paused),
                Effect::Pick(kind) => match self.picker.open(kind) {
                    Ok(()) => apply_picker_opened(&mut self.state, kind),
                    Err(NoDialog::Busy) => apply_picker_busy(&mut self.state),
                    Err(NoDialog::Missing(reason)) => apply_no_picker(&mut self.state, kind, &reason),
                },
                Effect::LeaveDialog => self.picker.leave(),
                Effect::Copy(text) => ctx.copy_text(text),
                Effect::Notify { title, text } => {
                    if self.state.settings.window.notify && !ctx.input(|input| input.focused) {
                        notify_in_background(self.notify, title, text);
                    }
                }
                Effect::FocusPanel(next) => move_to_area(ctx, next),
                Effect::ShowSetting(setting) => seek_setting(ctx, setting),
                Effect::ShowInFolder(path) => self.file_manager.show(ctx, path),
                Effect::Quit => ctx.send_viewport_cmd(egui::ViewportCommand::Close),
            }
        }
    }

    fn send(&mut self, request: &Request) {
        let id = self.port.send(request.clone());
        self.state.record_request(id, request);
    }

    fn drain(&mut self, ctx: &egui::Context) {
        let mut effects = Vec::new();
        while let Some(reply) = self.port.try_recv() {
            handle_event(&mut self.state, reply, Instant::now(), &mut effects);
            self.run_effects(ctx, std::mem::take(&mut effects));
        }
        if self.state.worker_alive && !self.port.is_alive() {
            handle_worker_exit(&mut self.state, Instant::now());
        }
        while let Some(text) = self.file_manager.next_failure() {
            self.state.dialogs.notices.add(NoticeKind::Error, text);
        }
        let focused = ctx.input(|input| input.focused);
        while let Some(picked) = self.picker.try_recv(focused) {
            match &picked.problem {
                Some(reason) => apply_no_picker(&mut self.state, picked.kind, reason),
                None => apply_picked(&mut self.state, picked, Instant::now(), &mut effects),
            }
            self.run_effects(ctx, std::mem::take(&mut effects));
        }
    }

    /// Schedules a repaint for the dialog timeout and for the next message to expire.
    fn schedule_repaint(&mut self, ctx: &egui::Context) {
        if let Some(left) = self.picker.timeout_left() {
            ctx.request_repaint_after(left);
        }
        let now = ctx.input(|input| (input.time, input.focused));
        let auto_dismiss = self.auto_dismiss.poll(&self.state.dialogs.notices, self.state.export.batch.as_ref(), now);
        if let Some(left_s) = auto_dismiss.next_s {
            ctx.request_repaint_after(Duration::from_secs_f64(left_s));
        }
        self.apply_command(ctx, auto_dismiss.gone);
    }

    /// Sends the commands of values that have been stable for their debounce delay.
    fn send_debounced(&mut self, ctx: &egui::Context) {
        let now_s = ctx.input(|input| input.time);
        let mut commands = Commands::new();
        let mut wait = |debounced: Debounced, command: Option<Command>| match debounced {
            Debounced::Now => commands.extend(command),
            Debounced::In(left_s) => ctx.request_repaint_after(Duration::from_secs_f64(left_s)),
            Debounced::Done => {}
        };
        let key = self.state.preview_key().filter(|_| !self.state.canvas.inspection.waiting);
        wait(self.preview_debounce.poll(&key, now_s), key.map(Command::RenderPreview));
        let detail = self.state.canvas.inspection.wanted_detail.filter(|_| !self.state.canvas.inspection.waiting);
        let requested = detail.map(|detail| (detail, self.state.canvas.generation));
        wait(self.detail_debounce.poll(&requested, now_s), detail.map(Command::RenderDetail));
        wait(self.limits_debounce.poll(&self.state.settings.limits, now_s), Some(Command::RetryFailed));
        wait(self.settings_debounce.poll(&self.state.settings, now_s), Some(Command::SaveSettings));
        let autosave = Command::Project(ProjectCommand::Autosave);
        wait(self.autosave_debounce.poll(&self.state.autosave_key(), now_s), Some(autosave));
        let unfinished = self.state.unfinished_key();
        wait(self.unfinished_debounce.poll(&unfinished, now_s), unfinished.map(|_| Command::FindUnfinished));
        let opened_with = (self.state.runtime.model.clone(), self.state.runtime.options.clone());
        wait(self.opening_debounce.poll(&opened_with, now_s), Some(Command::ReopenRuntime));
        match self.state.opening() {
            Some(id) => wait(self.slow_opening.poll(&Some(id), now_s), Some(Command::NoteSlowOpening)),
            None => self.slow_opening.accept(&None),
        }
        commands.extend(self.state.next_small_preview().map(Command::RenderPreview));
        self.apply_command(ctx, commands);
    }

    fn apply_theme(&mut self, ctx: &egui::Context) {
        let window = &self.state.settings.window;
        let wishes = self.state.wishes;
        let wishes = Wishes { less_motion: wishes.less_motion || window.reduce_motion, ..wishes };
        let wanted = (window.theme, window.text_scale(), wishes);
        if self.applied_theme.replace(wanted) != Some(wanted) {
            theme::apply(ctx, wanted.0, wanted.2);
            ctx.set_zoom_factor(wanted.1);
        }
    }

    /// Sets this thread's language to the chosen one, if it can be displayed.
    fn apply_language(&mut self) {
        let wanted = Language::chosen(self.state.settings.window.language, self.system_language);
        set_current(if self.missing_glyphs == Some(wanted) { Language::English } else { wanted });
    }

    /// Falls back to English and warns if no font has the glyphs of the chosen language.
    fn check_glyphs(&mut self, ctx: &egui::Context) {
        let wanted = Language::chosen(self.state.settings.window.language, self.system_language);
        let others = (self.fonts_requested_for == Language::Japanese) != (wanted == Language::Japanese);
        if self.font_fallback == FontFallback::System && others {
            self.fonts_requested_for = wanted;
            request_system_fonts(ctx, wanted);
        }
        let lacks = (self.font_fallback != FontFallback::Boxes && !fonts_have_glyphs(ctx, wanted)).then_some(wanted);
        if std::mem::replace(&mut self.missing_glyphs, lacks) != lacks {
            self.apply_language();
            if lacks.is_some() {
                let text = tr(
                    "No Japanese font is installed, so the window stays in English. Install one, for example Noto Sans CJK, and restart the program.",
                );
                self.state.dialogs.notices.add(NoticeKind::Warning, text);
            }
            ctx.request_repaint();
        }
    }
}

impl eframe::App for IronCropperApp {
    fn logic(&mut self, ctx: &egui::Context, _frame: &mut eframe::Frame) {
        // Another window may have been drawn on this thread.
        self.apply_language();
        if let Some(wishes) = self.wishes.take() {
            self.state.wishes = wishes;
            self.apply_theme(ctx);
        }
        self.drain(ctx);
        self.send_debounced(ctx);
        if self.state.update_list(Instant::now() + LIST_TIME) {
            ctx.request_repaint();
        }
        if self.state.names_are_outdated() {
            self.apply_command(ctx, vec![Command::Names(NamesCommand::Update)]);
        }
        if self.state.cards_are_due() {
            self.apply_command(ctx, vec![Command::Names(NamesCommand::ReadCards)]);
        }
        let lacking = self.state.list.library.take_lacking_masks();
        if !lacking.is_empty() {
            self.apply_command(ctx, Commands::from([Command::MeasureMasks(lacking)]));
        }
        self.schedule_repaint(ctx);
        self.watch_end(ctx);
        self.watch_project(ctx);
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        let ctx = ui.ctx().clone();
        self.check_glyphs(&ctx);
        let mut commands = Commands::new();
        self.watch_window(&ctx, &mut commands);
        let mut input = PassInput::new(&ctx);
        let mut changed = false;
        while let Some(commands) = input.next_commands(&ctx, &self.state) {
            self.apply_command(&ctx, commands);
            changed = true;
        }
        let opened = self.opened.take();
        if !opened.is_empty() {
            commands.push(Command::Import(opened));
        }
        panels::window_ui(ui, &self.state, &mut self.textures, &mut commands);
        if self.textures.end_pass() {
            ctx.request_repaint();
        }
        if changed || !commands.is_empty() {
            self.apply_command(&ctx, commands);
            self.apply_theme(&ctx);
            self.apply_language();
            ctx.request_repaint();
        }
    }

    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        self.end_work();
    }
}
