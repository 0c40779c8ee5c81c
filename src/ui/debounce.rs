//! Tells when a value has stood still long enough to act on it.

/// Watches one value.
pub(crate) struct Debounce<T> {
    wait_s: f64,
    value: Option<T>,
    since_s: f64,
    done: bool,
}

/// What to do about the value.
#[derive(Debug, PartialEq)]
pub(crate) enum Debounced {
    /// It has just come to rest: act.
    Now,
    /// Look again in so many seconds.
    In(f64),
    /// It was acted on.
    Done,
}

impl<T: PartialEq + Clone> Debounce<T> {
    /// Watches a value that is to rest for `wait_s` seconds.
    pub(crate) fn new(wait_s: f64) -> Self {
        Self { wait_s, value: None, since_s: 0.0, done: false }
    }

    /// Takes `value` as acted on already.
    pub(crate) fn accept(&mut self, value: &T) {
        self.value = Some(value.clone());
        self.done = true;
    }

    /// Looks at the value at the time `now_s`, in seconds since whenever.
    pub(crate) fn look(&mut self, value: &T, now_s: f64) -> Debounced {
        if self.value.as_ref() != Some(value) {
            self.value = Some(value.clone());
            (self.since_s, self.done) = (now_s, false);
        }
        if self.done {
            return Debounced::Done;
        }
        let left_s = self.wait_s - (now_s - self.since_s);
        if left_s > 0.0 {
            return Debounced::In(left_s);
        }
        self.done = true;
        Debounced::Now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acts_once_after_the_value_has_rested() {
        let mut wait_for = Debounce::new(1.0);
        assert_eq!(wait_for.look(&1, 10.0), Debounced::In(1.0));
        assert_eq!(wait_for.look(&2, 10.5), Debounced::In(1.0), "a change starts the wait again");
        assert_eq!(wait_for.look(&2, 11.0), Debounced::In(0.5));
        assert_eq!(wait_for.look(&2, 11.5), Debounced::Now);
        assert_eq!(wait_for.look(&2, 20.0), Debounced::Done);
        wait_for.accept(&3);
        assert_eq!(wait_for.look(&3, 21.0), Debounced::Done);
    }
}
