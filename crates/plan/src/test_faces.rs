//! Meshes and masks for tests.

use geometry::{BackgroundMeasures, EyeMeasures, Face, FaceMesh, HairTop, Head, MaskMeasures, Point, Rect};

/// The mesh of a frontal face at (1000, 950) with open eyes and a closed mouth, whose head is 520 pixels high.
pub(crate) fn mesh() -> FaceMesh {
    let head = Head { eyes: Point::new(1000.0, 950.0), eyes_to_crown: 260.0, eyes_to_chin: 260.0, roll: 0.0 };
    let eye =
        |x| EyeMeasures { center: Point::new(x, 950.0), opening: Some(0.32), contrast: Some(0.95), is_hidden: false };
    FaceMesh {
        head,
        width: 364.0,
        yaw: 0.0,
        pitch: 0.0,
        presence: 0.99,
        mouth_opening: Some(0.02),
        gaze: Some(0.0),
        eyes: [eye(920.0), eye(1080.0)],
        dark_glasses: false,
    }
}

/// A face with that mesh, changed by `change`.
pub(crate) fn with_mesh(change: impl Fn(&mut FaceMesh)) -> Face {
    let mut mesh = mesh();
    change(&mut mesh);
    let points = [(920.0, 950.0), (1080.0, 950.0), (1000.0, 1030.0), (940.0, 1110.0), (1060.0, 1110.0)];
    let face = Face::new(Rect::new(840.0, 830.0, 320.0, 400.0), points.map(|(x, y)| Point::new(x, y)), 0.9);
    Face { mesh: Some(mesh), ..face }
}

/// `face` with the top of its hair at `above_eyes`.
pub(crate) fn with_hair(face: Face, above_eyes: f32) -> Face {
    let hair = Some(HairTop { above_eyes, confidence: 0.9 });
    Face { mask: Some(MaskMeasures { hair, background: None }), ..face }
}

/// `face` in front of `background`.
pub(crate) fn before(face: Face, background: BackgroundMeasures) -> Face {
    Face { mask: Some(MaskMeasures { hair: None, background: Some(background) }), ..face }
}
