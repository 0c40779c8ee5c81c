//! Ties the state, the worker and the panels to eframe.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use batch::settings::{Settings, ThemeChoice};
use batch::worker::{FilesRequest, ProbesRequest, ProjectTask, Request, RequestId, WorkerPort};
use cancel::Generation;
use recipe::{DecodeLimits, RuntimeChoice, RuntimeOptions};

use super::apply::{apply, apply_no_picker, apply_picked, apply_picker_busy, on_close, open_runtime};
use super::command::{Command, Commands, Effect, ProjectCommand};
use super::debounce::{Debounce, Debounced};
use super::diagnostics::add_screen;
use super::dialogs::{FilePicker, NoDialog};
use super::fade::Fading;
use super::handle_event::{handle_event, handle_worker_exit};
use super::input::collect_input;
use super::language::{Language, Letters, add_signs, ask_system_for, current, has_letters, set_current, tr};
use super::opened::OpenedFiles;
use super::run::{SessionOverrides, WindowOptions};
use super::state::{AppState, Detail, NoticeKind, PreviewKey};
use super::textures::Textures;
use super::words;
use super::{panels, theme};

/// Seconds the plan rests before the worker renders it.
const PREVIEW_WAIT_S: f64 = 0.12;

/// Seconds that options, model and limits rest before they are used.
const REOPEN_WAIT_S: f64 = 0.6;

/// Seconds after which opening a runtime takes long.
const SLOW_OPENING_S: f64 = 10.0;

/// Seconds the settings rest before they are written.
const SAVE_WAIT_S: f64 = 1.0;

/// Time that bringing the list up to date may take of one frame. At 60 frames a second a quarter of each.
const LIST_TIME: Duration = Duration::from_millis(4);
/// Seconds the list rests before it is kept in case the program ends without closing.
const KEEP_WAIT_S: f64 = 2.0;

/// Seconds list and output folder rest before a run that was broken off is looked for.
const UNFINISHED_WAIT_S: f64 = 0.5;

/// The window's program: drains the worker in `logic`, draws and collects commands in `ui`.
pub struct IronCropperApp {
    state: AppState,
    port: Box<dyn WorkerPort>,
    picker: Box<dyn FilePicker>,
    textures: Textures,
    preview_rest: Debounce<Option<PreviewKey>>,
    /// The part wanted, and what was known of the photo when it was asked for.
    detail_rest: Debounce<Option<(Detail, Generation)>>,
    settings_rest: Debounce<Settings>,
    limits_rest: Debounce<DecodeLimits>,
    /// What the runtime is opened with.
    opening_rest: Debounce<(Option<PathBuf>, RuntimeOptions)>,
    /// The opening under way.
    patience: Debounce<Option<RequestId>>,
    fading: Fading,
    look: Option<(ThemeChoice, f32, bool)>,
    /// What the system speaks.
    system_language: Language,
    letters: Letters,
    /// The language whose fonts the system is asked for.
    fonts_for: Language,
    /// The language that the window could not be shown in.
    no_letters: Option<Language>,
    /// The list, to be kept in case the program ends without closing.
    keep_rest: Debounce<(u64, Option<u64>, bool)>,
    /// Where a run that was broken off is looked for.
    unfinished_rest: Debounce<Option<(PathBuf, usize)>>,
    title: String,
    opened: OpenedFiles,
}

impl IronCropperApp {
    /// An app that opens its runtime and imports `options.paths` at once.
    pub fn new(
        ctx: &egui::Context,
        port: Box<dyn WorkerPort>,
        picker: Box<dyn FilePicker>,
        options: WindowOptions,
    ) -> Self {
        theme::install(ctx);
        add_signs(ctx);
        // The actions do that, so that it is kept.
        ctx.options_mut(|options| options.zoom_with_keyboard = false);
        let WindowOptions {
            settings,
            settings_notice,
            paths,
            opened,
            runtime,
            model,
            session,
            samples,
            system_language,
            letters,
            without_drops,
            renderer,
        } = options;
        let mut settings_rest = Debounce::new(SAVE_WAIT_S);
        settings_rest.accept(&settings);
        let mut limits_rest = Debounce::new(REOPEN_WAIT_S);
        limits_rest.accept(&settings.limits);
        let mut state = AppState::new(settings);
        state.runtime.choice = runtime.unwrap_or(state.runtime.choice);
        state.runtime.model = model.or(state.runtime.model);
        state.runtime.options = session.over(&state.runtime.options);
        (state.list.samples, state.without_drops, state.renderer) = (samples, without_drops, renderer);
        if let Some(notice) = &settings_notice {
            state.dialogs.notices.add(NoticeKind::Warning, words::settings_notice(notice));
        }
        let mut opening_rest = Debounce::new(REOPEN_WAIT_S);
        opening_rest.accept(&(state.runtime.model.clone(), state.runtime.options.clone()));
        let mut keep_rest = Debounce::new(KEEP_WAIT_S);
        keep_rest.accept(&state.keep_key());
        let mut unfinished_rest = Debounce::new(UNFINISHED_WAIT_S);
        unfinished_rest.accept(&None);
        let mut app = Self {
            keep_rest,
            unfinished_rest,
            opened,
            title: state.title(),
            state,
            port,
            picker,
            textures: Textures::default(),
            preview_rest: Debounce::new(PREVIEW_WAIT_S),
            detail_rest: Debounce::new(PREVIEW_WAIT_S),
            settings_rest,
            limits_rest,
            opening_rest,
            patience: Debounce::new(SLOW_OPENING_S),
            fading: Fading::default(),
            look: None,
            system_language: system_language.unwrap_or(Language::English),
            // Until another is wanted, what eframe has set up serves.
            fonts_for: Language::English,
            letters,
            no_letters: None,
        };
        app.apply_language();
        let mut effects = Vec::new();
        open_runtime(&mut app.state, &mut effects);
        app.apply_theme(ctx);
        app.perform(ctx, effects);
        app.apply_command(
            ctx,
            vec![
                // First: what the window before was reading when it ended is held back.
                Command::Project(ProjectCommand::BeginSession),
                Command::Project(ProjectCommand::FindLost),
                Command::Import(paths),
            ],
        );
        app
    }

    /// Applies commands and what follows from them.
    fn apply_command(&mut self, ctx: &egui::Context, commands: Commands) {
        let mut effects = Vec::new();
        for command in commands {
            apply(&mut self.state, command, Instant::now(), &mut effects);
            // One after the other: what a command sends is noted before the next one looks at it.
            self.perform(ctx, std::mem::take(&mut effects));
        }
    }

    fn perform(&mut self, ctx: &egui::Context, effects: Vec<Effect>) {
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
                    Ok(()) => {}
                    Err(NoDialog::Busy) => apply_picker_busy(&mut self.state),
                    Err(NoDialog::Missing(reason)) => apply_no_picker(&mut self.state, kind, &reason),
                },
                Effect::Copy(text) => ctx.copy_text(text),
                Effect::Quit => ctx.send_viewport_cmd(egui::ViewportCommand::Close),
            }
        }
    }

    fn send(&mut self, request: &Request) {
        let id = self.port.send(request.clone());
        self.state.note_sent(id, request);
    }

    fn drain(&mut self, ctx: &egui::Context) {
        let mut effects = Vec::new();
        while let Some(reply) = self.port.try_recv() {
            handle_event(&mut self.state, reply, Instant::now(), &mut effects);
            self.perform(ctx, std::mem::take(&mut effects));
        }
        if self.state.worker_alive && !self.port.is_alive() {
            handle_worker_exit(&mut self.state, Instant::now());
        }
        let focused = ctx.input(|input| input.focused);
        while let Some(picked) = self.picker.try_recv(focused) {
            match &picked.problem {
                Some(reason) => apply_no_picker(&mut self.state, picked.kind, reason),
                None => apply_picked(&mut self.state, picked, Instant::now(), &mut effects),
            }
            self.perform(ctx, std::mem::take(&mut effects));
        }
    }

    /// Comes back when a dialog is to be given up, and when a message is to go.
    fn wait_for_time(&mut self, ctx: &egui::Context) {
        if let Some(left) = self.picker.patience_left() {
            ctx.request_repaint_after(left);
        }
        let now_s = ctx.input(|input| input.time);
        let fading = self.fading.look(&self.state.dialogs.notices, now_s);
        if let Some(left_s) = fading.next_s {
            ctx.request_repaint_after(Duration::from_secs_f64(left_s));
        }
        self.apply_command(ctx, fading.gone.into_iter().map(Command::DismissNotice).collect());
    }

    /// Sends what waits for the plan and the settings to come to rest.
    fn wait_for(&mut self, ctx: &egui::Context) {
        let now_s = ctx.input(|input| input.time);
        let mut commands = Commands::new();
        let mut wait = |settled: Debounced, command: Option<Command>| match settled {
            Debounced::Now => commands.extend(command),
            Debounced::In(left_s) => ctx.request_repaint_after(Duration::from_secs_f64(left_s)),
            Debounced::Done => {}
        };
        let key = self.state.preview_key().filter(|_| !self.state.canvas.inspection.waiting);
        wait(self.preview_rest.look(&key, now_s), key.map(Command::RenderPreview));
        let detail = self.state.canvas.inspection.wanted_detail.filter(|_| !self.state.canvas.inspection.waiting);
        let asked = detail.map(|detail| (detail, self.state.canvas.generation));
        wait(self.detail_rest.look(&asked, now_s), detail.map(Command::RenderDetail));
        wait(self.limits_rest.look(&self.state.settings.limits, now_s), Some(Command::RetryFailed));
        wait(self.settings_rest.look(&self.state.settings, now_s), Some(Command::SaveSettings));
        let keep = Command::Project(ProjectCommand::Keep);
        wait(self.keep_rest.look(&self.state.keep_key(), now_s), Some(keep));
        let unfinished = self.state.unfinished_key();
        wait(self.unfinished_rest.look(&unfinished, now_s), unfinished.map(|_| Command::FindUnfinished));
        let opened_with = (self.state.runtime.model.clone(), self.state.runtime.options.clone());
        wait(self.opening_rest.look(&opened_with, now_s), Some(Command::ReopenRuntime));
        match self.state.opening() {
            Some(id) => wait(self.patience.look(&Some(id), now_s), Some(Command::NoteSlowOpening)),
            None => self.patience.accept(&None),
        }
        self.apply_command(ctx, commands);
    }

    fn apply_theme(&mut self, ctx: &egui::Context) {
        let window = &self.state.settings.window;
        let wanted = (window.theme, window.text_scale(), window.reduce_motion);
        if self.look.replace(wanted) != Some(wanted) {
            ctx.set_theme(theme::preference(wanted.0));
            ctx.set_zoom_factor(wanted.1);
            theme::set_motion(ctx, !wanted.2);
        }
    }

    /// Has this thread speak what was chosen, as far as it can be drawn.
    fn apply_language(&mut self) {
        let wanted = Language::chosen(self.state.settings.window.language, self.system_language);
        set_current(if self.no_letters == Some(wanted) { Language::English } else { wanted });
    }

    /// Goes back to English where no font has the letters of the language that was chosen, and says so.
    fn look_for_letters(&mut self, ctx: &egui::Context) {
        let wanted = Language::chosen(self.state.settings.window.language, self.system_language);
        let others = (self.fonts_for == Language::Japanese) != (wanted == Language::Japanese);
        if self.letters == Letters::System && others {
            self.fonts_for = wanted;
            ask_system_for(ctx, wanted);
        }
        let lacks = (self.letters != Letters::Boxes && !has_letters(ctx, wanted)).then_some(wanted);
        if std::mem::replace(&mut self.no_letters, lacks) != lacks {
            self.apply_language();
            if lacks.is_some() {
                let text = tr(
                    "No font for Japanese is installed here, so the window stays in English. Install one, for example Noto Sans CJK, and start the program again.",
                );
                self.state.dialogs.notices.add(NoticeKind::Warning, text);
            }
            ctx.request_repaint();
        }
    }

    /// Asks before the window closes where something would be lost, and has it called by its project.
    fn watch_project(&mut self, ctx: &egui::Context) {
        if ctx.input(|input| input.viewport().close_requested())
            && let Some(command) = on_close(&self.state)
        {
            ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.apply_command(ctx, vec![command]);
        }
        let title = self.state.title();
        if title != self.title {
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }

    /// Notes the window's size, so that the next start opens it alike.
    fn watch_window(&self, ctx: &egui::Context, commands: &mut Commands) {
        let zoom = ctx.zoom_factor();
        let (maximized, inner) = ctx.input(|input| (input.viewport().maximized, input.viewport().inner_rect));
        let Some(inner) = inner else { return };
        let mut window = self.state.settings.window;
        window.maximized = maximized.unwrap_or(false);
        if !window.maximized {
            (window.width, window.height) = ((inner.width() * zoom).round(), (inner.height() * zoom).round());
        }
        if window != self.state.settings.window {
            commands.push(Command::SetWindow(window));
        }
    }
}

impl eframe::App for IronCropperApp {
    fn logic(&mut self, ctx: &egui::Context, _frame: &mut eframe::Frame) {
        // Another window may have been drawn on this thread.
        self.apply_language();
        self.drain(ctx);
        self.wait_for(ctx);
        if self.state.keep_list(Instant::now() + LIST_TIME) {
            ctx.request_repaint();
        }
        self.wait_for_time(ctx);
        self.watch_project(ctx);
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        let ctx = ui.ctx().clone();
        self.look_for_letters(&ctx);
        let mut commands = Commands::new();
        self.watch_window(&ctx, &mut commands);
        collect_input(&ctx, &self.state, &mut commands);
        let opened = self.opened.take();
        if !opened.is_empty() {
            commands.push(Command::Import(opened));
        }
        panels::window_ui(ui, &self.state, &mut self.textures, &mut commands);
        if self.textures.end_pass() {
            ctx.request_repaint();
        }
        if !commands.is_empty() {
            self.apply_command(&ctx, commands);
            self.apply_theme(&ctx);
            self.apply_language();
            ctx.request_repaint();
        }
    }

    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        // A normal end: nothing needs to be recovered. Nobody is left to be told of the answer.
        self.port.send(FilesRequest::Project(ProjectTask::ForgetKept).into());
        if self.settings_rest.look(&self.state.settings, f64::INFINITY) == Debounced::Now {
            // Nobody is left to be told of the answer.
            self.port.send(FilesRequest::SaveSettings(Box::new(self.state.own_settings())).into());
        }
    }
}

/// What the app starts with, for tests that name only what they need.
impl Default for WindowOptions {
    fn default() -> Self {
        Self {
            settings: Settings::default(),
            settings_notice: None,
            paths: Vec::<PathBuf>::new(),
            opened: OpenedFiles::default(),
            runtime: None::<RuntimeChoice>,
            model: None,
            session: SessionOverrides::default(),
            samples: None,
            system_language: None,
            letters: Letters::Boxes,
            without_drops: false,
            renderer: None,
        }
    }
}
