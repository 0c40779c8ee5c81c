//! Files of every format, sound and broken, through the public library.

mod corruption;
mod formats;
mod pictures;
