//! Faces of the astronaut, blurred, lit, turned and reduced.
