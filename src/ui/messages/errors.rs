//! Errors on one photo: reading, detecting, rendering, writing. The English texts are those of `outcome`.

use std::io;
use std::path::Path;

use outcome::{
    BackgroundFault, CropNote, Damage, DecodeError, EncodeError, LibraryAdvice, LibraryProblem, NoRuntime, PairedFault,
    PictureNote, RenderError, StageError,
};

use super::super::language::{Argument, decimal, fill, say, tr};
use super::faults::{detect_error, open_error, runtime_fault};
use super::parts::shown;
use super::specs::{encode_spec_error, sheet_error};

/// Why an input failed.
pub(crate) fn stage_error(error: &StageError) -> String {
    match error {
        StageError::Decode(error) => decode_error(error),
        StageError::Detect(error) => detect_error(error),
        StageError::Render(error) => render_error(error),
        StageError::Background(fault) => {
            say!("the background cannot be replaced: {reason}", reason = background_fault(fault))
        }
        StageError::Paired { path, fault } => {
            let reason = match fault {
                PairedFault::AspectRatio { paired, photo } => say!(
                    "it has {paired} pixels, which is another aspect ratio than the photo's {photo}",
                    paired = *paired,
                    photo = *photo
                ),
                PairedFault::Damaged => tr("it is damaged").to_owned(),
                PairedFault::Failed(error) => stage_error(error),
            };
            say!("the paired file {path} cannot be cropped: {reason}", path = shown(path), reason = reason)
        }
        StageError::Encode(error) => encode_error(error),
        StageError::Sheet(error) => sheet_error(error),
        StageError::NoRuntime(why) => say!("no runtime is open: {reason}", reason = no_runtime(why)),
        StageError::Panicked { stage, message } => say!(
            "internal error while processing this file ({stage}): {message}; please report it",
            stage = stage.id(),
            message = message
        ),
    }
}

fn background_fault(fault: &BackgroundFault) -> String {
    match fault {
        BackgroundFault::Model(fault) => {
            say!(
                "the person model cannot be used: {reason}; use another model or runtime, or keep the photo's background",
                reason = runtime_fault(fault)
            )
        }
        BackgroundFault::NoPerson => tr("no person was recognised in the crop; keep the photo's background").to_owned(),
    }
}

fn no_runtime(why: &NoRuntime) -> String {
    match why {
        NoRuntime::NotChosen => tr("none has been chosen").to_owned(),
        NoRuntime::NotOpened => tr("none has been opened yet").to_owned(),
        NoRuntime::Failed(error) => open_error(error),
    }
}

/// Why a file could not be decoded.
pub(crate) fn decode_error(error: &DecodeError) -> String {
    match error {
        DecodeError::Unreadable(source) => say!("the file cannot be read: {reason}", reason = source.to_string()),
        DecodeError::Empty => tr("the file is empty").to_owned(),
        DecodeError::NotAFile => tr("this is not a file").to_owned(),
        DecodeError::UnknownFormat { found } => {
            say!("unsupported image format ({found})", found = found.unwrap_or_else(|| tr("unknown content")))
        }
        DecodeError::TooManyPixels { size, limit } => say!(
            "the image has {size} pixels ({megapixels} megapixels), more than the limit of {limit} megapixels; raise the limit to read it",
            size = *size,
            megapixels = millions(size.pixels()),
            limit = millions(*limit)
        ),
        DecodeError::TooMuchMemory { bytes, limit } => say!(
            "the image needs {needed} MB of memory, more than the limit of {limit} MB; raise the limit to read it",
            needed = millions(*bytes),
            limit = millions(*limit)
        ),
        DecodeError::FileTooLarge { bytes, limit } => say!(
            "the file has {bytes} bytes, more than the limit of {limit} bytes; raise the limit to read it",
            bytes = *bytes,
            limit = *limit
        ),
        DecodeError::TookTooLong { seconds } => say!(
            "reading the file was stopped after {seconds} s; raise the time limit to wait longer",
            seconds = *seconds
        ),
        DecodeError::Cancelled => tr("reading the file was cancelled").to_owned(),
        DecodeError::NoMemory { bytes } => say!(
            "not enough memory to read the file (more than {needed} MB needed); close other programs, or allow this program more memory",
            needed = millions(*bytes)
        ),
        DecodeError::DecoderFailed { format, how } => {
            say!("the {format} decoder failed ({how}); the file may be damaged", format = *format, how = how)
        }
        DecodeError::Broken { format, reason } => {
            say!("the {format} data is corrupt: {reason}", format = *format, reason = reason)
        }
        DecodeError::NeedsLibrary { format, library, problem } => needs_library(format, library, problem),
        DecodeError::Unsupported { format, reason } => {
            say!("this kind of {format} is not supported: {reason}", format = *format, reason = reason)
        }
    }
}

fn millions(number: u64) -> String {
    decimal(number as f64 / 1e6, 0)
}

fn needs_library(format: &'static str, library: &'static str, problem: &LibraryProblem) -> String {
    let advice = match problem.advice() {
        LibraryAdvice::Install => tr(
            "install libheif (Debian, Ubuntu: apt install libheif1; macOS: brew install libheif; Windows: put heif.dll next to the program), or export the image as JPEG",
        ),
        LibraryAdvice::InstallDecoder => {
            tr("install its decoder (Debian, Ubuntu: apt install libheif-plugin-libde265), or export the image as JPEG")
        }
    };
    match problem {
        LibraryProblem::NotInstalled => say!(
            "{format} requires {library}, which is not installed; {advice}",
            format = format,
            library = library,
            advice = advice
        ),
        LibraryProblem::NotAt { path } => say!(
            "{format} requires {library}, which is not at {path}; {advice}",
            format = format,
            library = library,
            path = shown(path),
            advice = advice
        ),
        LibraryProblem::Unloadable { path, reason } => say!(
            "{format} requires {library}, which cannot be loaded from {path} ({reason}); {advice}",
            format = format,
            library = library,
            path = shown(path),
            reason = reason,
            advice = advice
        ),
        LibraryProblem::Unfit(problem) => say!(
            "{format} requires {library}, which {problem}; {advice}",
            format = format,
            library = library,
            problem = problem,
            advice = advice
        ),
        LibraryProblem::NoDecoder { reason } => say!(
            "{format} requires {library}, which has no decoder for this image ({reason}); {advice}",
            format = format,
            library = library,
            reason = reason,
            advice = advice
        ),
    }
}

/// The missing part of an image.
pub(crate) fn damage(damage: &Damage) -> String {
    match damage.missing_rows {
        0 => damage.reason.clone(),
        missing => say!(
            "{missing} of {rows} rows are missing, {reason}",
            missing = missing,
            rows = damage.rows,
            reason = damage.reason
        ),
    }
}

/// How an image was obtained.
pub(crate) fn picture_note(note: PictureNote) -> &'static str {
    match note {
        PictureNote::RawPreview => tr("the preview embedded in a raw file"),
        PictureNote::FirstFrame => tr("the first frame of an animation"),
        PictureNote::StillPicture => tr("the still image of an animation"),
        PictureNote::LargestIcon => tr("the largest image of an icon"),
        PictureNote::FirstPage => tr("the first page"),
        PictureNote::FloatSamples => tr("floating-point samples from 0 to 1, converted to 16 bits"),
        PictureNote::Hdr => tr("high dynamic range (HDR), converted to standard range"),
    }
}

/// A note on a written crop.
pub(crate) fn crop_note(note: &CropNote) -> String {
    match note {
        CropNote::EightBits => tr("16 bits reduced to 8").to_owned(),
        CropNote::Quality { asked, taken, limit } => say!(
            "quality lowered from {asked} to {taken} to stay within {limit} kB",
            asked = *asked,
            taken = *taken,
            limit = *limit
        ),
        CropNote::ExifPart => tr("part of the photo's EXIF block cannot be read and is not in the crop").to_owned(),
        CropNote::SheetExists => tr("its sheet already exists and was not changed").to_owned(),
        CropNote::OnSheet(note) => say!("on the sheet: {note}", note = crop_note(note)),
        CropNote::Other(message) => message.clone(),
    }
}

fn render_error(error: &RenderError) -> String {
    match error {
        RenderError::OutsidePicture { frame, picture } => say!(
            "the crop frame {frame} is outside the image ({picture} pixels)",
            frame = format!("{frame:?}"),
            picture = *picture
        ),
        RenderError::Resize { reason } => say!("the crop cannot be resized: {reason}", reason = reason),
        RenderError::NotOfSheet { crop, place } => {
            say!("the crop has {crop} pixels, but the sheet is laid out for {place}", crop = *crop, place = *place)
        }
    }
}

/// Why a crop was not written.
pub(crate) fn encode_error(error: &EncodeError) -> String {
    match error {
        EncodeError::NoFolder { path, source } => in_folder(
            tr("the output folder {folder} cannot be created ({reason}); choose another one"),
            path,
            Some(source),
        ),
        EncodeError::FolderGone { path } => {
            in_folder(tr("the output folder {folder} disappeared during the run; restore it and resume"), path, None)
        }
        EncodeError::FolderIsFile { path, .. } => {
            in_folder(tr("the output folder {folder} is a file; choose another one or move the file away"), path, None)
        }
        EncodeError::Journal { path, source } => say!(
            "the journal {path} cannot be written ({reason}); free some space, or run without a journal",
            path = shown(path),
            reason = source.to_string()
        ),
        EncodeError::DiskFull { path, source } => of_file(
            tr("the disk is full: {file} was not written ({reason}); free some space and run again"),
            path,
            Some(source),
        ),
        EncodeError::ReadOnly { path, source } => of_file(
            tr("the disk is read-only: {file} was not written ({reason}); choose another output folder"),
            path,
            Some(source),
        ),
        EncodeError::NoPermission { path, source } => of_file(
            tr("no permission to write {file} ({reason}); choose another output folder or change its permissions"),
            path,
            Some(source),
        ),
        EncodeError::Write { path, source } => of_file(tr("{file} cannot be written ({reason})"), path, Some(source)),
        EncodeError::FileExists { path } => of_file(
            tr("{file} already exists; choose another folder, or another option for existing files"),
            path,
            None,
        ),
        EncodeError::WouldReplaceSource { path } => of_file(
            tr(
                "{file} may be one of the source photos, so it is neither replaced nor treated as a crop; choose a separate output folder",
            ),
            path,
            None,
        ),
        EncodeError::Encoder { format, reason } => {
            say!("the crop cannot be encoded as {format}: {reason}", format = format.name(), reason = reason)
        }
        EncodeError::Sheet { format, reason } => {
            say!("the sheet cannot be encoded as {format}: {reason}", format = format.name(), reason = reason)
        }
        EncodeError::TooLarge { format, kilobytes_needed, limit } => say!(
            "the crop needs {needed} kB as {format} and the limit is {limit} kB; choose a smaller crop, another format or a higher limit",
            needed = *kilobytes_needed,
            format = format.name(),
            limit = *limit
        ),
        EncodeError::Spec(error) => encode_spec_error(error),
    }
}

fn in_folder(sentence: &str, folder: &Path, reason: Option<&io::Error>) -> String {
    of_path(sentence, "folder", folder, reason)
}

fn of_file(sentence: &str, file: &Path, reason: Option<&io::Error>) -> String {
    of_path(sentence, "file", file, reason)
}

fn of_path(sentence: &str, name: &str, path: &Path, reason: Option<&io::Error>) -> String {
    let (path, reason) = (shown(path), reason.map(ToString::to_string).unwrap_or_default());
    let parts: [(&str, &dyn Argument); 2] = [(name, &path), ("reason", &reason)];
    fill(sentence, &parts)
}

#[cfg(test)]
mod tests;
