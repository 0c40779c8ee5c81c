//! The person in a crop, from the columns of a list of names.

use naming::fold_text;

use crate::PackageCrop;

/// A column of a list that is recognised by its heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    FirstName,
    LastName,
    /// First and last name in one column.
    Name,
    Grade,
    Class,
    HomeRoom,
    Period,
    Teacher,
    Track,
    Department,
    Title,
}

impl Column {
    /// The headings of the column in the languages of the program: without blanks, hyphens and underscores, folded.
    const fn headings(self) -> &'static [&'static str] {
        match self {
            Self::FirstName => &[
                "firstname",
                "first",
                "givenname",
                "givennames",
                "forename",
                "forenames",
                "vorname",
                "vornamen",
                "prénom",
                "prenom",
                "prénoms",
                "nombredepila",
                "nombres",
                "名",
            ],
            Self::LastName => &[
                "lastname",
                "last",
                "surname",
                "familyname",
                "nachname",
                "familienname",
                "zuname",
                "nomdefamille",
                "apellido",
                "apellidos",
                "姓",
            ],
            Self::Name => &[
                "name",
                "fullname",
                "studentname",
                "student",
                "displayname",
                "person",
                "schüler",
                "schülername",
                "nomcomplet",
                "nom",
                "nombre",
                "nombrecompleto",
                "氏名",
                "名前",
            ],
            Self::Grade => &[
                "grade",
                "gradelevel",
                "year",
                "yeargroup",
                "level",
                "jahrgang",
                "jahrgangsstufe",
                "klassenstufe",
                "stufe",
                "niveau",
                "grado",
                "nivel",
                "学年",
            ],
            Self::Class => &[
                "class",
                "classname",
                "group",
                "team",
                "klasse",
                "gruppe",
                "classe",
                "groupe",
                "clase",
                "curso",
                "grupo",
                "equipo",
                "組",
                "クラス",
            ],
            Self::HomeRoom => &["homeroom", "hr", "room", "tutorgroup", "form", "raum", "salle", "aula"],
            Self::Period => &["period", "stunde", "période", "periodo"],
            Self::Teacher => &[
                "teacher",
                "teachername",
                "tutor",
                "coach",
                "lehrer",
                "lehrerin",
                "lehrkraft",
                "klassenlehrer",
                "klassenlehrerin",
                "klassenleitung",
                "enseignant",
                "enseignante",
                "professeur",
                "profesor",
                "profesora",
                "maestro",
                "maestra",
                "担任",
                "先生",
            ],
            Self::Track => &["track"],
            Self::Department => &["department", "dept", "abteilung", "service", "département", "departamento", "部署"],
            Self::Title => &[
                "title",
                "salutation",
                "position",
                "role",
                "titel",
                "anrede",
                "titre",
                "civilité",
                "título",
                "titulo",
                "役職",
            ],
        }
    }
}

/// The text below the first heading of `column` that has one; empty if there is none.
pub(crate) fn cell_of(crop: &PackageCrop, column: Column) -> &str {
    let is_called = |heading: &str, wanted: &str| {
        let plain = |c: &char| !matches!(c, ' ' | '-' | '_' | '.' | '\u{a0}');
        fold_text(heading).chars().filter(plain).eq(wanted.chars())
    };
    let cells = column.headings().iter().filter_map(|wanted| {
        crop.row.iter().find(|(heading, _)| is_called(heading, wanted)).map(|(_, cell)| cell.trim())
    });
    cells.into_iter().find(|cell| !cell.is_empty()).unwrap_or_default()
}

/// First and last name. If the list has neither, the full name or else the name of the file is split: at a comma after the
/// last name, or at the last blank before it.
pub(crate) fn first_and_last(crop: &PackageCrop) -> (String, String) {
    let (first, last) = (cell_of(crop, Column::FirstName), cell_of(crop, Column::LastName));
    if !last.is_empty() {
        return (first.to_owned(), last.to_owned());
    }
    let whole = cell_of(crop, Column::Name);
    if !first.is_empty() {
        // In French "nom", in Spanish "nombre" next to a first name is the last name.
        return (first.to_owned(), whole.to_owned());
    }
    let whole = if whole.is_empty() { crop.stem() } else { whole };
    let (first, last) = match whole.split_once(',') {
        Some((last, first)) => (first, last),
        None => whole.rsplit_once(' ').unwrap_or(("", whole)),
    };
    (first.trim().to_owned(), last.trim().to_owned())
}

/// The name to be shown: first and last name, or the full name, or else the name of the file.
pub(crate) fn name_of(crop: &PackageCrop) -> String {
    let (first, last) = (cell_of(crop, Column::FirstName), cell_of(crop, Column::LastName));
    let whole = cell_of(crop, Column::Name);
    match (first.is_empty(), last.is_empty(), whole.is_empty()) {
        (true, true, true) => crop.stem().to_owned(),
        (true, true, false) => whole.to_owned(),
        (false, true, false) if !whole.contains(first) => format!("{first} {whole}"),
        (false, true, false) => whole.to_owned(),
        _ => format!("{first} {last}").trim().to_owned(),
    }
}

/// The class: that of the list, or else the folder of the crop; empty if there is neither.
pub(crate) fn class_of(crop: &PackageCrop) -> &str {
    let listed = [Column::Class, Column::Grade, Column::HomeRoom].map(|column| cell_of(crop, column));
    listed.into_iter().find(|class| !class.is_empty()).unwrap_or(crop.folder_and_name().0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crop::test_crop;

    #[test]
    fn columns_are_recognised_in_several_languages() {
        for (row, name, class) in [
            (&[("First Name", "Anna"), ("last_name", "Muster"), ("CLASS", "3b")][..], "Anna Muster", "3b"),
            (&[("Vorname", "Jörg"), ("Nachname", "Groß"), ("Klasse", "4a")], "Jörg Groß", "4a"),
            (&[("Nom", "Dubois"), ("Pre\u{301}nom", "Zoé"), ("Niveau", "CE1")], "Zoé Dubois", "CE1"),
            (&[("姓", "王"), ("名", "小明"), ("学年", "2")], "小明 王", "2"),
            (&[("Name", "Li Na"), ("grade", "7"), ("Home Room", "12")], "Li Na", "7"),
            (&[("Name", "Ben Ott"), ("First", "Ben")], "Ben Ott", "room 1"),
            (&[("Id", "7"), ("Class", " ")], "7_anna", "room 1"),
        ] {
            let crop = test_crop("room 1/7_anna.jpg", row);
            assert_eq!((name_of(&crop).as_str(), class_of(&crop)), (name, class), "{row:?}");
        }
    }

    #[test]
    fn a_full_name_is_split_only_without_a_column_for_first_or_last_names() {
        let split = |row: &[(&str, &str)]| first_and_last(&test_crop("Ida Berg.jpg", row));
        let pair = |first: &str, last: &str| (first.to_owned(), last.to_owned());
        assert_eq!(split(&[("Name", "Anna Lena Müller")]), pair("Anna Lena", "Müller"));
        assert_eq!(split(&[("Name", "van Dyk, Jan")]), pair("Jan", "van Dyk"));
        assert_eq!(split(&[("Name", "Cher")]), pair("", "Cher"));
        assert_eq!(split(&[("Name", "Anna Müller"), ("Surname", "Müller")]), pair("", "Müller"));
        assert_eq!(split(&[("First name", "Anna Lena"), ("Last name", "Müller")]), pair("Anna Lena", "Müller"));
        assert_eq!(split(&[]), pair("Ida", "Berg"));
    }
}
