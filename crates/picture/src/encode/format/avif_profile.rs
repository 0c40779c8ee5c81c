//! Adds a colour profile to an AVIF file; the encoder does not support profiles.

use std::ops::Range;

use crate::iso_boxes::places;

/// The item number of the image in the encoder's files; alpha and EXIF have others.
const PICTURE: [u8; 2] = 1_u16.to_be_bytes();

/// `file` with `profile` as a property of its image; `None` if the file does not have the encoder's structure.
///
/// The property is appended to the list of properties, its index to the associations of the image. Both precede the
/// pixel data, so all offsets to it are adjusted.
pub(super) fn with_profile(mut file: Vec<u8>, profile: &[u8]) -> Option<Vec<u8>> {
    let meta = find(&file, 0..file.len(), *b"meta")?;
    let inside = meta.start + 12..meta.end;
    let locations = find(&file, inside.clone(), *b"iloc")?;
    let properties = find(&file, inside, *b"iprp")?;
    let inside = properties.start + 8..properties.end;
    let list = find(&file, inside.clone(), *b"ipco")?;
    let uses = find(&file, inside, *b"ipma")?;

    let mut property = u32::try_from(profile.len().checked_add(12)?).ok()?.to_be_bytes().to_vec();
    property.extend(b"colrprof");
    property.extend(profile);
    // An index of 7 bits; the eighth would mark the property as essential.
    let number =
        u8::try_from(places(&file, list.start + 8..list.end).count() + 1).ok().filter(|number| *number < 0x80)?;
    let use_at = add_use(&mut file, &uses)?;
    let longer = property.len() + 1;
    move_data(&mut file, &locations, &meta, longer)?;
    for (part, by) in [(&meta, longer), (&properties, longer), (&list, property.len()), (&uses, 1)] {
        add(&mut file, part.start, by)?;
    }
    // The later position first, so that the earlier one does not move.
    if list.end <= use_at {
        file.insert(use_at, number);
        file.splice(list.end..list.end, property);
    } else {
        file.splice(list.end..list.end, property);
        file.insert(use_at, number);
    }
    Some(file)
}

/// Increments the image's association count; returns the position for the new index.
fn add_use(file: &mut [u8], uses: &Range<usize>) -> Option<usize> {
    if word(file, uses.start + 8)? != 0 {
        return None;
    }
    let entries = word(file, uses.start + 12)?;
    let mut at = uses.start + 16;
    for _ in 0..entries {
        let head = file.get(at..at + 3).filter(|_| at + 3 <= uses.end)?;
        let end = at + 3 + usize::from(head[2]);
        if head[..2] == PICTURE {
            let count = file.get_mut(at + 2).filter(|_| end <= uses.end)?;
            *count = count.checked_add(1)?;
            return Some(end);
        }
        at = end;
    }
    None
}

/// Adds `by` to every data offset.
fn move_data(file: &mut [u8], locations: &Range<usize>, meta: &Range<usize>, by: usize) -> Option<()> {
    // Version 0, offsets and lengths of four bytes, no base offsets.
    if word(file, locations.start + 8)? != 0 || file.get(locations.start + 12..locations.start + 14)? != [0x44, 0] {
        return None;
    }
    let half = |file: &[u8], at: usize| Some(u16::from_be_bytes(file.get(at..at + 2)?.try_into().ok()?));
    let items = half(file, locations.start + 14)?;
    let mut at = locations.start + 16;
    for _ in 0..items {
        let extents = half(file, at + 4)?;
        at += 6;
        for _ in 0..extents {
            if at + 8 > locations.end || (word(file, at)? as usize) < meta.end {
                return None;
            }
            add(file, at, by)?;
            at += 8;
        }
    }
    Some(())
}

/// The range of the first box of type `kind`, if it is complete and has a 32-bit length.
fn find(file: &[u8], inside: Range<usize>, kind: [u8; 4]) -> Option<Range<usize>> {
    let found = places(file, inside).find(|place| place.kind == kind)?;
    (!found.is_cut && found.header == 8).then_some(found.range)
}

fn word(file: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(file.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

fn add(file: &mut [u8], at: usize, by: usize) -> Option<()> {
    let sum = word(file, at)?.checked_add(u32::try_from(by).ok()?)?;
    file.get_mut(at..at + 4)?.copy_from_slice(&sum.to_be_bytes());
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_other_encoders_are_not_modified() {
        for file in
            [&b""[..], b"\0\0\0\x08meta", b"\0\0\0\x0cmeta\0\0\0\0", b"\xff\xff\xff\xffmeta\0\0\0\0\0\0\0\x08iloc"]
        {
            assert_eq!(with_profile(file.to_vec(), b"profile"), None, "{file:?}");
        }
    }
}
