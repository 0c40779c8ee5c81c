//! Cards: a photo of a card with a code names the photos that follow it.

use std::collections::HashMap;

use super::fold_text;
use super::name_list::NameTable;

/// The card of each photo: its own, else the last one before it. `readings` are the texts of the cards that the photos show,
/// in the order of the photo list; blank ones are no cards.
pub(super) fn active_cards<'a>(readings: &[Option<&'a str>]) -> Vec<Option<&'a str>> {
    let mut active = None;
    let is_card = |text: &&str| !text.trim().is_empty();
    readings
        .iter()
        .map(|reading| {
            active = reading.map(str::trim).filter(is_card).or(active);
            active
        })
        .collect()
}

/// The rows of cards.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct CardRows {
    /// The row of each card text; none for a text in no row or in several.
    rows: HashMap<String, usize>,
    /// The column in which they were found.
    pub(super) column: Option<usize>,
}

impl CardRows {
    /// Finds the cards in `column`, else in the column with the most of them. A cell equals a card's text in any case, or, if
    /// no cell does, as a number without leading zeros.
    pub(super) fn find(table: &NameTable, column: Option<usize>, cards: &[Option<&str>]) -> Self {
        let texts: HashMap<String, &str> = cards.iter().flatten().map(|card| (fold_text(card), *card)).collect();
        if texts.is_empty() {
            return Self { column, ..Self::default() };
        }
        let numbers: HashMap<&str, Vec<&str>> = texts.keys().fold(HashMap::new(), |mut numbers, text| {
            if let Some(number) = without_zeros(text) {
                numbers.entry(number).or_default().push(text);
            }
            numbers
        });
        let columns = column.map_or(0..table.headings.len(), |column| column..column + 1);
        let found = columns.map(|column| Self { rows: rows_in(table, column, &texts, &numbers), column: Some(column) });
        // The first of equals.
        found.reduce(|best, next| if next.rows.len() > best.rows.len() { next } else { best }).unwrap_or_default()
    }

    /// The row of a card.
    pub(super) fn row_of(&self, card: &str) -> Option<usize> {
        self.rows.get(&fold_text(card)).copied()
    }
}

/// The row of each text whose cell is in exactly one row.
fn rows_in(
    table: &NameTable,
    column: usize,
    texts: &HashMap<String, &str>,
    numbers: &HashMap<&str, Vec<&str>>,
) -> HashMap<String, usize> {
    // The rows with an equal cell, and those with an equal number.
    let mut found: HashMap<&str, [Vec<usize>; 2]> = HashMap::new();
    for (row, cell) in table.column(column).into_iter().enumerate() {
        let cell = fold_text(cell.trim());
        if let Some((text, _)) = texts.get_key_value(&cell) {
            found.entry(text).or_default()[0].push(row);
        }
        for text in without_zeros(&cell).and_then(|number| numbers.get(number)).into_iter().flatten() {
            found.entry(text).or_default()[1].push(row);
        }
    }
    let unique = found.into_iter().filter_map(|(text, [equal, by_number])| {
        match if equal.is_empty() { &by_number[..] } else { &equal[..] } {
            [row] => Some((text.to_owned(), *row)),
            _ => None,
        }
    });
    unique.collect()
}

/// A whole number without leading zeros; `None` for other text.
fn without_zeros(text: &str) -> Option<&str> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.trim_start_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> NameTable {
        NameTable::from_text(text).expect("a table")
    }

    #[test]
    fn a_card_is_in_force_until_the_next_one() {
        let readings = [None, Some("A"), None, None, Some(" B "), Some("  "), None];
        let expected = [None, Some("A"), Some("A"), Some("A"), Some("B"), Some("B"), Some("B")];
        assert_eq!(active_cards(&readings), expected);
    }

    #[test]
    fn cards_are_found_in_the_column_with_most_of_them() {
        let table = table("id,name,code\n7,Anna,x-1\nx-1,Ben,x-2\n9,Cleo,X-3\n");
        let cards = [Some("X-1"), None, Some("x-3"), Some("none")];
        let rows = CardRows::find(&table, None, &cards);
        assert_eq!((rows.column, rows.row_of("x-1"), rows.row_of("X-3")), (Some(2), Some(0), Some(2)));
        assert_eq!(rows.row_of("none"), None);
        let rows = CardRows::find(&table, Some(0), &cards);
        assert_eq!((rows.row_of("x-1"), rows.row_of("x-3")), (Some(1), None));
    }

    #[test]
    fn a_number_is_found_without_leading_zeros() {
        let table = table("id,name\n7,Anna\n08,Ben\n8,Cleo\n9,Dora\n09,Emil\n0,Fay\n");
        let cards = ["0007", "8", "008", "009", "00", "7a"].map(Some);
        let rows = CardRows::find(&table, None, &cards);
        let row_of = |card: &str| rows.row_of(card);
        assert_eq!((row_of("0007"), row_of("8"), row_of("00")), (Some(0), Some(2), Some(5)));
        assert_eq!((row_of("008"), row_of("009"), row_of("7a")), (None, None, None), "several rows");
    }

    #[test]
    fn a_text_in_several_rows_is_no_card() {
        let rows = CardRows::find(&table("class,name\n3b,Anna\n3b,Ben\n3c,Cleo\n"), None, &[Some("3B"), Some("3C")]);
        assert_eq!((rows.row_of("3b"), rows.row_of("3c")), (None, Some(2)));
    }
}
