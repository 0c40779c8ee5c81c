//! Contact sheets as a web page: self-contained, without scripts, fonts or external links.

use std::io::{self, Write};

use data_encoding::BASE64;

use crate::contact::Caption;
use crate::html::{escaped, percent_encoded};
use crate::{PackageCrop, Thumbnail};

const STYLE: &str = "<style>
:root { color-scheme: light dark; font: 15px/1.35 system-ui, sans-serif; }
body { max-width: 72rem; margin: 1.5rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; break-after: avoid; }
main { display: grid; grid-template-columns: repeat(auto-fill, minmax(8rem, 1fr)); gap: 1rem .75rem; }
figure { margin: 0; text-align: center; break-inside: avoid; overflow-wrap: anywhere; }
img { max-width: 100%; max-height: 10rem; border-radius: 3px; }
small { display: block; opacity: .65; font-size: .75rem; }
@page { margin: 10mm; }
@media print {
  :root { color-scheme: light; font-size: 9pt; } body { margin: 0; padding: 0; max-width: none; }
  main { grid-template-columns: repeat(6, 1fr); gap: 3mm; } small { font-size: 6pt; }
}
</style>
";

/// Writes a contact sheet as a web page, part by part.
pub(crate) struct HtmlSheet<'a> {
    out: &'a mut dyn Write,
    /// True if a class has been begun.
    is_open: bool,
}

impl<'a> HtmlSheet<'a> {
    pub(crate) fn begin(out: &'a mut dyn Write, title: &str) -> io::Result<Self> {
        write!(
            out,
            "<!doctype html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; \
             style-src 'unsafe-inline'\">\n<title>{0}</title>\n{STYLE}</head>\n<body>\n<h1 dir=\"auto\">{0}</h1>\n",
            escaped(title)
        )?;
        Ok(Self { out, is_open: false })
    }

    /// Begins a class of `crops` crops; an empty name gets no heading.
    pub(crate) fn class(&mut self, class: &str, crops: usize) -> io::Result<()> {
        self.end_class()?;
        if !class.is_empty() {
            writeln!(self.out, "<h2 dir=\"auto\">{} ({crops})</h2>", escaped(class))?;
        }
        self.is_open = true;
        writeln!(self.out, "<main>")
    }

    pub(crate) fn crop(
        &mut self,
        crop: &PackageCrop,
        caption: &Caption,
        picture: Option<&Thumbnail>,
    ) -> io::Result<()> {
        let levels: Vec<String> = crop.file.split('/').map(|level| percent_encoded(level.as_bytes())).collect();
        // A first level with a colon would be parsed as a URI scheme.
        write!(self.out, "<figure><a href=\"./{}\">", levels.join("/"))?;
        match picture {
            Some(Thumbnail { bytes, size }) => write!(
                self.out,
                "<img src=\"data:image/jpeg;base64,{}\" width=\"{}\" height=\"{}\" alt=\"\">",
                BASE64.encode(bytes),
                size.width,
                size.height
            )?,
            None => write!(self.out, "{}", escaped(&crop.file))?,
        }
        write!(self.out, "</a><figcaption dir=\"auto\">{}", escaped(&caption.name))?;
        if let Some(file) = &caption.file {
            write!(self.out, "<small dir=\"auto\">{}</small>", escaped(file))?;
        }
        writeln!(self.out, "</figcaption></figure>")
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.end_class()?;
        writeln!(self.out, "</body>\n</html>")
    }

    fn end_class(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.is_open) { writeln!(self.out, "</main>") } else { Ok(()) }
    }
}
