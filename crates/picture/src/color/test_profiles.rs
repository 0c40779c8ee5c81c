//! Generated test profiles: displays from the library, and inks from a small model of a press.

use moxcms::ColorProfile;

/// The bytes of a display profile.
pub(super) fn bytes(profile: &ColorProfile) -> Vec<u8> {
    profile.encode().expect("encodes")
}

/// A CMYK profile, version 2, Lab: one 16-bit table of nine steps per ink, perceptual only. Its darkest colour is far
/// from black, and its paper is white.
pub(super) fn press() -> Vec<u8> {
    table_profile(b"CMYK", 4, 9, |inks| {
        let [cyan, magenta, yellow, black] = [inks[0], inks[1], inks[2], inks[3]];
        let cover = 1.0 - (1.0 - 0.45 * cyan) * (1.0 - 0.5 * magenta) * (1.0 - 0.1 * yellow) * (1.0 - 0.8 * black);
        let lightness = 100.0 * (1.0 - cover) + 3.0 * cover;
        let tint = 1.0 - 0.9 * black;
        let a = tint * (-35.0 * cyan + 72.0 * magenta - 5.0 * yellow - 25.0 * cyan * magenta);
        let b = tint * (-48.0 * cyan - 4.0 * magenta + 90.0 * yellow - 30.0 * magenta * cyan - 8.0 * cyan * yellow);
        [lightness, a, b]
    })
}

/// An RGB profile with a table only, like that of a scanner: no inverse table, and a black of lightness 8.
pub(super) fn scanner() -> Vec<u8> {
    table_profile(b"RGB ", 3, 9, |rgb| {
        let [red, green, blue] = [rgb[0], rgb[1], rgb[2]];
        let lightness = 8.0 + 92.0 * (0.28 * red + 0.62 * green + 0.10 * blue);
        [lightness, 90.0 * (red - green) * (1.0 - 0.2 * blue), 60.0 * (0.5 * red + 0.5 * green - blue)]
    })
}

fn table_profile(space: &[u8; 4], inputs: u32, steps: u32, lab: impl Fn(&[f64]) -> [f64; 3]) -> Vec<u8> {
    let mut table = Vec::new();
    table.extend(b"mft2\0\0\0\0");
    table.extend([inputs as u8, 3, steps as u8, 0]);
    for at in 0..9 {
        table.extend(if at % 4 == 0 { 65_536_u32 } else { 0 }.to_be_bytes());
    }
    table.extend([0, 2, 0, 2]);
    table.extend([0, 0, 0xFF, 0xFF].repeat(inputs as usize));
    for index in 0..steps.pow(inputs) {
        let place = |input| f64::from(index / steps.pow(inputs - 1 - input) % steps) / f64::from(steps - 1);
        let [lightness, a, b] = lab(&(0..inputs).map(place).collect::<Vec<_>>());
        // Version 2 encodes lightness 100 as 0xFF00, and 0 of a and b as 0x8000.
        for value in [lightness * 652.8, (a + 128.0) * 256.0, (b + 128.0) * 256.0] {
            table.extend((value.round().clamp(0.0, 65_535.0) as u16).to_be_bytes());
        }
    }
    table.extend([0, 0, 0xFF, 0xFF].repeat(3));
    table.resize(table.len().next_multiple_of(4), 0);
    let class = if inputs == 4 { b"prtr" } else { b"scnr" };
    let mut white = b"XYZ \0\0\0\0".to_vec();
    [63_190_u32, 65_536, 54_061].iter().for_each(|value| white.extend(value.to_be_bytes()));
    let mut name = b"desc\0\0\0\0\0\0\0\x05test\0".to_vec();
    name.resize(12 + 5 + 78 + 1, 0);
    let rights = b"text\0\0\0\0CC0\0".to_vec();
    let tags = [(b"desc", name), (b"cprt", rights), (b"wtpt", white), (b"A2B0", table)];
    let mut directory = (tags.len() as u32).to_be_bytes().to_vec();
    let mut body: Vec<u8> = Vec::new();
    let start = 128 + 4 + 12 * tags.len();
    for (tag, data) in &tags {
        directory.extend(*tag);
        directory.extend(((start + body.len()) as u32).to_be_bytes());
        directory.extend((data.len() as u32).to_be_bytes());
        body.extend(data);
    }
    let mut profile = vec![0; 128];
    profile[..4].copy_from_slice(&((start + body.len()) as u32).to_be_bytes());
    profile[8..12].copy_from_slice(&[2, 0x40, 0, 0]);
    profile[12..16].copy_from_slice(class);
    profile[16..20].copy_from_slice(space);
    profile[20..24].copy_from_slice(b"Lab ");
    profile[24..36].copy_from_slice(&[7, 0xE9, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]);
    profile[36..40].copy_from_slice(b"acsp");
    for (at, value) in [(68, 63_190_u32), (72, 65_536), (76, 54_061)] {
        profile[at..at + 4].copy_from_slice(&value.to_be_bytes());
    }
    profile.extend(directory);
    profile.extend(body);
    profile
}
