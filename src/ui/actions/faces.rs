//! The Faces menu.

use super::*;

pub(super) static FACES: &[Action] = &[
    Action {
        name: mark("Draw a face"),
        menu: Menu::Faces,
        keys: &[key(Modifiers::NONE, Key::D)],
        command: |state| can_draw(state).then_some(Command::SetDrawing(!state.canvas.tools.drawing)),
        is_on: Some(|state| state.canvas.tools.drawing),
        ..BASE_ACTION
    },
    Action {
        name: mark("Delete drawn face"),
        menu: Menu::Faces,
        command: |state| {
            let face = state.shown_frame()?.face;
            state.current()?.is_drawn(face).then_some(Command::EraseFace(face))
        },
        ..BASE_ACTION
    },
    numbered::<1>(mark("Crop face 1 on/off")),
    numbered::<2>(mark("Crop face 2 on/off")),
    numbered::<3>(mark("Crop face 3 on/off")),
    numbered::<4>(mark("Crop face 4 on/off")),
    numbered::<5>(mark("Crop face 5 on/off")),
    numbered::<6>(mark("Crop face 6 on/off")),
    numbered::<7>(mark("Crop face 7 on/off")),
    numbered::<8>(mark("Crop face 8 on/off")),
    numbered::<9>(mark("Crop face 9 on/off")),
    Action {
        name: mark("Show next crop"),
        menu: Menu::Faces,
        keys: &[key(Modifiers::NONE, Key::C)],
        command: |state| {
            let count = state.current_plan().crops.len();
            let (index, _) = state.shown_crop()?;
            (count > 1).then_some(Command::ShowCrop((index + 1) % count))
        },
        begins_group: true,
        ..BASE_ACTION
    },
    Action {
        name: mark("Move crop first"),
        menu: Menu::Faces,
        keys: &[key(Modifiers::ALT, Key::Home)],
        command: |state| {
            let (from, _) = place_in_order(state)?;
            (from > 0).then_some(Command::MoveFace { from, to: 0 })
        },
        ..BASE_ACTION
    },
    Action {
        name: mark("Move crop earlier"),
        menu: Menu::Faces,
        keys: &[key(Modifiers::ALT, Key::ArrowLeft)],
        command: |state| {
            let (from, _) = place_in_order(state)?;
            Some(Command::MoveFace { from, to: from.checked_sub(1)? })
        },
        ..BASE_ACTION
    },
    Action {
        name: mark("Move crop later"),
        menu: Menu::Faces,
        keys: &[key(Modifiers::ALT, Key::ArrowRight)],
        command: |state| {
            let (from, count) = place_in_order(state)?;
            (from + 1 < count).then_some(Command::MoveFace { from, to: from + 1 })
        },
        ..BASE_ACTION
    },
    Action {
        name: mark("Edit frame"),
        menu: Menu::Faces,
        keys: &[key(Modifiers::NONE, Key::M)],
        command: |state| state.shown_frame().map(|_| Command::FocusFrame(true)),
        begins_group: true,
        ..BASE_ACTION
    },
    Action {
        name: mark("Rotate left 0.5°"),
        menu: Menu::Faces,
        keys: &[key(Modifiers::NONE, Key::OpenBracket), key(Modifiers::NONE, Key::Comma)],
        command: |state| rotate_frame(state, -ROTATION_STEP),
        ..BASE_ACTION
    },
    Action {
        name: mark("Rotate right 0.5°"),
        menu: Menu::Faces,
        keys: &[key(Modifiers::NONE, Key::CloseBracket), key(Modifiers::NONE, Key::Period)],
        command: |state| rotate_frame(state, ROTATION_STEP),
        ..BASE_ACTION
    },
    Action {
        name: mark("Rotate left 5°"),
        menu: Menu::Faces,
        // With Shift, the key types another character, and the system may report that one.
        keys: &[
            key(Modifiers::SHIFT, Key::OpenBracket),
            key(Modifiers::SHIFT, Key::OpenCurlyBracket),
            key(Modifiers::SHIFT, Key::Comma),
        ],
        command: |state| rotate_frame(state, -LARGE_ROTATION_STEP),
        ..BASE_ACTION
    },
    Action {
        name: mark("Rotate right 5°"),
        menu: Menu::Faces,
        keys: &[
            key(Modifiers::SHIFT, Key::CloseBracket),
            key(Modifiers::SHIFT, Key::CloseCurlyBracket),
            key(Modifiers::SHIFT, Key::Period),
        ],
        command: |state| rotate_frame(state, LARGE_ROTATION_STEP),
        ..BASE_ACTION
    },
    Action {
        name: mark("Free aspect ratio"),
        menu: Menu::Faces,
        keys: &[key(Modifiers::NONE, Key::R)],
        command: |state| {
            let is_free = state.shown_frame()?.locked.is_none();
            is_free.then_some(Command::SetFreeAspect(!state.canvas.tools.free_aspect))
        },
        is_on: Some(|state| {
            let is_free = state.shown_frame().is_some_and(|shown| shown.locked.is_none());
            state.canvas.tools.free_aspect && is_free
        }),
        ..BASE_ACTION
    },
    Action {
        name: mark("Reset frame"),
        menu: Menu::Faces,
        command: |state| {
            let shown = state.shown_frame().filter(|shown| shown.manual)?;
            Some(Command::SetFrame(shown.face, None))
        },
        begins_group: true,
        ..BASE_ACTION
    },
    Action {
        name: mark("Reset to automatic"),
        menu: Menu::Faces,
        command: |state| state.current()?.edits().edits_faces().then_some(Command::ResetFaces),
        ..BASE_ACTION
    },
    Action {
        name: mark("Reset photo"),
        menu: Menu::Faces,
        command: |state| {
            let photo = state.current()?;
            (*photo.edits() != PhotoEdits::default()).then(|| Command::ResetPhotos(vec![photo.id]))
        },
        ..BASE_ACTION
    },
];

/// Degrees of rotation of the frame per key press, and with Shift.
const ROTATION_STEP: f32 = 0.5;
const LARGE_ROTATION_STEP: f32 = 5.0;

/// Number keys that select the first faces.
const DIGITS: [Key; 9] =
    [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8, Key::Num9];

/// The action for the face with this number, counted from the left.
const fn numbered<const NUMBER: usize>(name: &'static str) -> Action {
    Action {
        name,
        menu: Menu::Faces,
        keys: const { &[key(Modifiers::NONE, DIGITS[NUMBER - 1])] },
        command: |state| {
            let index = *state.current()?.numbered(&state.settings.recipe.crop).get(NUMBER - 1)?;
            Some(Command::ToggleFace(index))
        },
        is_offered: |_| true,
        is_on: None,
        detail: None,
        about: None,
        submenu: Some(mark("Toggle faces")),
        begins_group: NUMBER == 1,
    }
}

fn can_draw(state: &AppState) -> bool {
    state.current().is_some_and(|photo| photo.info.is_some()) && !state.hides_photo()
}

/// Position of the previewed crop in the crop order, and the number of crops.
fn place_in_order(state: &AppState) -> Option<(usize, usize)> {
    let face = state.shown_frame()?.face;
    let order = state.current()?.order(&state.settings.recipe.crop);
    Some((order.iter().position(|&other| other == face)?, order.len()))
}

fn rotate_frame(state: &AppState, degrees: f32) -> Option<Command> {
    let shown = state.shown_frame()?;
    let turned = shown.kept(shown.frame.rotated(shown.frame.angle + degrees));
    (turned != shown.frame).then_some(Command::SetFrame(shown.face, Some(turned)))
}
