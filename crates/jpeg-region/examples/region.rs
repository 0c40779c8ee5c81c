//! Prints the header of a JPEG file, decodes a region and writes it as PPM (PGM for grey; PAM for CMYK): `cargo run -p
//! jpeg-region --example region -- PHOTO.jpg OUT.ppm [LEFT TOP WIDTH HEIGHT [REDUCTION]]`.

#![expect(clippy::print_stdout, reason = "an example shows what it finds")]

use std::error::Error;
use std::fs;

use jpeg_region::{Decoded, Jpeg, Region, SampleFormat, Scale};

const USAGE: &str = "name a JPEG file, a file to write, and perhaps LEFT TOP WIDTH HEIGHT and REDUCTION (1, 2, 4 or 8)";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [photo, out, numbers @ ..] = arguments.as_slice() else { return Err(USAGE.into()) };
    let bytes = fs::read(photo)?;
    let jpeg = Jpeg::open(&bytes)?;
    print_header(&jpeg);
    let numbers: Vec<u32> = numbers.iter().map(|number| number.parse()).collect::<Result<_, _>>()?;
    let (region, reduction) = match numbers[..] {
        [] => (Region { left: 0, top: 0, width: jpeg.frame().width, height: jpeg.frame().height }, 8),
        [left, top, width, height] => (Region { left, top, width, height }, 1),
        [left, top, width, height, reduction] => (Region { left, top, width, height }, reduction),
        _ => return Err(USAGE.into()),
    };
    let scale = Scale::from_reduction(reduction).ok_or(USAGE)?;
    let decoded = jpeg.decode(region, scale)?;
    let Decoded { left, top, width, height, .. } = decoded;
    println!("{width} x {height} pixels from {left}, {top} on at 1/{}", decoded.scale.reduction());
    match decoded.damage {
        None => println!("no damage found"),
        Some(damage) => println!("{}; {} of {} rows are missing", damage.cause, damage.missing_rows, damage.rows),
    }
    fs::write(out, [header(&decoded).as_bytes(), &decoded.samples].concat())?;
    Ok(())
}

fn print_header(jpeg: &Jpeg<'_>) {
    let frame = jpeg.frame();
    let process = match (frame.is_progressive(), frame.is_arithmetic()) {
        (false, false) => "sequential",
        (true, false) => "progressive",
        (false, true) => "sequential, arithmetic-coded",
        (true, true) => "progressive, arithmetic-coded",
    };
    println!("{} x {} pixels, {} bits, {process}", frame.width, frame.height, frame.precision);
    for component in &frame.components {
        let (across, down) = component.sampling;
        println!("component {}: {across} x {down} data units an MCU", component.id);
    }
    println!("scans: {}, restart interval: {}", jpeg.scan_count(), jpeg.restart_interval());
    if let Some(transform) = jpeg.adobe_transform() {
        println!("Adobe's colour transform: {transform}");
    }
    for segment in jpeg.segments() {
        match segment {
            Ok(segment) => println!("{:>9}: ff{:02x}, {} bytes", segment.offset, segment.marker, segment.data.len()),
            Err(truncated) => println!("{:>9}: ff{:02x}, truncated", truncated.offset, truncated.marker),
        }
    }
}

fn header(decoded: &Decoded) -> String {
    let Decoded { width, height, .. } = decoded;
    match decoded.format {
        SampleFormat::Grey => format!("P5\n{width} {height}\n255\n"),
        SampleFormat::Rgb => format!("P6\n{width} {height}\n255\n"),
        SampleFormat::Cmyk => {
            format!("P7\nWIDTH {width}\nHEIGHT {height}\nDEPTH 4\nMAXVAL 255\nTUPLTYPE CMYK\nENDHDR\n")
        }
    }
}
