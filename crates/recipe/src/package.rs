//! What is written beside the crops of an output when a run ends.

use serde::{Deserialize, Serialize};

/// Index, zip file and contact sheets of an output's crops; the default is none of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PackageSpec {
    /// The format of the index of crops; `None` for no index.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<IndexFormat>,
    /// True for a zip file with the crops and the index.
    pub zip: bool,
    /// True for a contact sheet as a PDF.
    pub contact_pdf: bool,
    /// True for a contact sheet as a web page.
    pub contact_html: bool,
}

impl PackageSpec {
    /// True if nothing is written beside the crops.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// The format of an index of crops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IndexFormat {
    /// Comma-separated values in UTF-8: the columns of the list of names, and the file of each crop.
    Csv,
    /// The index of school portraits for yearbook software, after a specification of the Professional School
    /// Photographers Association: 13 columns separated by tabs, in ASCII.
    Pspa,
}

impl IndexFormat {
    /// Every format, in display order.
    pub const ALL: [Self; 2] = [Self::Csv, Self::Pspa];

    /// The name of the index file.
    pub const fn file_name(self) -> &'static str {
        match self {
            Self::Csv => "index.csv",
            Self::Pspa => "index.txt",
        }
    }

    /// The displayed name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Csv => "CSV",
            Self::Pspa => "PSPA",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_written_as_settings_and_missing_parts_are_off() {
        let package = PackageSpec { index: Some(IndexFormat::Pspa), zip: true, ..PackageSpec::default() };
        let text = toml::to_string(&package).expect("writes");
        assert!(text.starts_with("index = \"pspa\"\nzip = true\n"), "{text}");
        assert_eq!(toml::from_str::<PackageSpec>(&text).expect("reads"), package);
        let none = toml::from_str::<PackageSpec>("").expect("reads");
        assert!(none.is_none() && !package.is_none());
    }
}
