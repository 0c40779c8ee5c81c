//! Reports as a self-contained HTML page, without scripts, fonts or external links.

use std::fmt::Write;
use std::path::{Component, Path};

use package::html::{escaped, percent_encoded};

use super::thumbnails::data_uri;
use super::{FileRow, PhotoRow, Report, Summary};

/// Maximum number of embedded thumbnails, of some 4 kB each. Further crops are only linked.
const MAX_THUMBNAILS: usize = 400;

/// Maximum number of photos listed individually; photos to review come first, and the totals include all.
const MAX_ROWS: usize = 20_000;

/// The start of every page.
pub(super) const HEAD: &str = "<!doctype html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">
<title>Iron Cropper: report</title>
<style>
:root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; } th, td { padding: .25rem .75rem; text-align: left; vertical-align: top; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
table.photos { width: 100%; } table.photos tr { border-top: 1px solid #8884; }
.path { overflow-wrap: anywhere; } .weak { opacity: .7; } .bad { color: #c0392b; } .look { color: #b9770e; }
img { max-height: 112px; max-width: 112px; border-radius: 3px; margin: 2px; vertical-align: top; }
</style>
</head>
<body>
";

/// The page for a file in `folder`, which links to crops are relative to.
pub(super) fn page(report: &Report, folder: &Path) -> String {
    let mut page = HEAD.to_owned();
    page.push_str("<h1>Report</h1>\n");
    summary(&mut page, &report.summary);
    let to_review = report.photos.partition_point(|row| row.rank() < 4);
    let (first, rest) = report.photos.split_at(to_review);
    let mut limits = Limits { thumbnails: MAX_THUMBNAILS, rows: MAX_ROWS };
    section(&mut page, "To review", first, folder, &mut limits);
    section(&mut page, "Others", rest, folder, &mut limits);
    page.push_str("</body>\n</html>\n");
    page
}

struct Limits {
    thumbnails: usize,
    rows: usize,
}

fn summary(page: &mut String, summary: &Summary) {
    let _ = writeln!(
        page,
        "<p>{} of {} photos, {} files, {:.1} MB",
        summary.done,
        summary.photos,
        summary.files,
        summary.bytes as f64 / 1e6
    );
    if let Some(rate) = summary.photos_per_s {
        let _ = write!(page, ", {rate:.1} photos/s in {:.1} s", summary.took_s);
    }
    let runtimes: Vec<String> =
        summary.runtimes.iter().map(|(name, photos)| format!("{} ({photos})", escaped(name))).collect();
    if !runtimes.is_empty() {
        let _ = write!(page, ", on {}", runtimes.join(", "));
    }
    page.push_str(".</p>\n");
    for reason in &summary.ended_early {
        let _ = writeln!(page, "<p class=\"bad\">{}</p>", escaped(reason));
    }
    page.push_str("<table><tr><th>Outcome</th><th>Photos</th></tr>\n");
    for (outcome, photos) in &summary.outcomes {
        let _ = writeln!(page, "<tr><td>{}</td><td class=\"number\">{photos}</td></tr>", outcome_text(outcome));
    }
    let _ = writeln!(page, "<tr><td>to review</td><td class=\"number\">{}</td></tr></table>", summary.need_review);
    page.push_str("<h2>Time by stage</h2>\n<table><tr><th>Stage</th><th>Photos</th><th>ms per photo</th><th>s over all threads</th></tr>\n");
    for (stage, total) in &summary.stages {
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{:.2}</td><td class=\"number\">{:.2}</td></tr>",
            escaped(stage),
            total.photos,
            total.mean_ms,
            total.total_s
        );
    }
    page.push_str("</table>\n");
    let journals: Vec<String> = summary.journals.iter().map(|name| escaped(name)).collect();
    let _ = writeln!(page, "<p class=\"weak path\">From {}</p>", journals.join(", "));
}

fn section(page: &mut String, title: &str, rows: &[PhotoRow], folder: &Path, limits: &mut Limits) {
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(page, "<h2>{title} ({})</h2>\n<table class=\"photos\">", rows.len());
    let shown = rows.len().min(limits.rows);
    limits.rows -= shown;
    for row in &rows[..shown] {
        photo(page, row, folder, limits);
    }
    page.push_str("</table>\n");
    if shown < rows.len() {
        let _ = writeln!(page, "<p>and {} more; a .csv or .json report lists all of them</p>", rows.len() - shown);
    }
}

fn photo(page: &mut String, row: &PhotoRow, folder: &Path, limits: &mut Limits) {
    let class = if row.rank() < 3 { "bad" } else { "" };
    let _ = write!(
        page,
        "<tr><td class=\"path\">{}</td><td class=\"{class}\">{}",
        escaped(&row.path),
        outcome_text(&row.outcome)
    );
    if let Some(reason) = &row.reason {
        let _ = write!(page, ": {}", escaped(reason));
    }
    for (class, lines) in [("look", &row.needs_review), ("weak", &row.notes)] {
        for line in lines {
            let _ = write!(page, "<div class=\"{class}\">{}</div>", escaped(line));
        }
    }
    page.push_str("</td><td>");
    for file in &row.files {
        crop(page, file, folder, limits);
    }
    page.push_str("</td></tr>\n");
}

fn crop(page: &mut String, file: &FileRow, folder: &Path, limits: &mut Limits) {
    let name = file.at.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let shown = if file.sheet || limits.thumbnails == 0 { None } else { data_uri(&file.at) };
    limits.thumbnails -= usize::from(shown.is_some());
    let shown = shown.map_or_else(
        || escaped(&name),
        |address| format!("<img src=\"{address}\" alt=\"{0}\" title=\"{0}\">", escaped(&name)),
    );
    let _ = write!(page, "<a href=\"{}\">{shown}</a> ", link(&file.at, folder));
}

/// The relative URI of `path` from a page in `folder`; absolute if the two share no folder.
fn link(path: &Path, folder: &Path) -> String {
    let (there, here): (Vec<_>, Vec<_>) = (path.components().collect(), folder.components().collect());
    let common = there.iter().zip(&here).take_while(|(a, b)| a == b).count();
    let is_rooted = |part: &Component<'_>| matches!(part, Component::RootDir | Component::Prefix(_));
    if common == 0 || there[..common].iter().all(is_rooted) {
        let all: Vec<String> = there.iter().filter(|part| **part != Component::RootDir).map(encoded).collect();
        return format!("file:///{}", all.join("/"));
    }
    let up = std::iter::repeat_n("..".to_owned(), here.len() - common);
    let link: Vec<String> = up.chain(there[common..].iter().map(encoded)).collect();
    // A first component with a colon would be parsed as a URI scheme.
    format!("./{}", link.join("/"))
}

fn encoded(part: &Component<'_>) -> String {
    percent_encoded(part.as_os_str().as_encoded_bytes())
}

fn outcome_text(outcome: &str) -> String {
    escaped(&outcome.replace('_', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_relative_to_the_page() {
        for (path, folder, expected) in [
            ("/out/a/anna 1.jpg", "/out", "./a/anna%201.jpg"),
            ("/out/a.jpg", "/out/reports", "./../a.jpg"),
            ("/out/java:x.jpg", "/out", "./java%3Ax.jpg"),
            ("/out/\"><b>.jpg", "/out", "./%22%3E%3Cb%3E.jpg"),
            ("/elsewhere/ü.jpg", "/out", "file:///elsewhere/%C3%BC.jpg"),
        ] {
            assert_eq!(link(Path::new(path), Path::new(folder)), expected);
        }
    }
}
