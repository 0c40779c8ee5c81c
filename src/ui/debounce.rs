//! Debouncing: reports when a value has been stable for a given time.

/// Watches a value.
pub(crate) struct Debounce<T> {
    wait_s: f64,
    value: Option<T>,
    since_s: f64,
    done: bool,
}

/// State of the watched value.
#[derive(Debug, PartialEq)]
pub(crate) enum Debounced {
    /// The delay has just passed: act on the value.
    Now,
    /// Poll again in this many seconds.
    In(f64),
    /// The value was acted on.
    Done,
}

impl<T: PartialEq + Clone> Debounce<T> {
    /// Creates a debouncer with a delay of `wait_s` seconds.
    pub(crate) fn new(wait_s: f64) -> Self {
        Self { wait_s, value: None, since_s: 0.0, done: false }
    }

    /// Marks `value` as acted on.
    pub(crate) fn accept(&mut self, value: &T) {
        self.value = Some(value.clone());
        self.done = true;
    }

    /// Compares the value at the time `now_s`, in seconds since any fixed point.
    pub(crate) fn poll(&mut self, value: &T, now_s: f64) -> Debounced {
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
    fn a_value_is_reported_once_after_the_delay() {
        let mut debounce = Debounce::new(1.0);
        assert_eq!(debounce.poll(&1, 10.0), Debounced::In(1.0));
        assert_eq!(debounce.poll(&2, 10.5), Debounced::In(1.0), "a change restarts the delay");
        assert_eq!(debounce.poll(&2, 11.0), Debounced::In(0.5));
        assert_eq!(debounce.poll(&2, 11.5), Debounced::Now);
        assert_eq!(debounce.poll(&2, 20.0), Debounced::Done);
        debounce.accept(&3);
        assert_eq!(debounce.poll(&3, 21.0), Debounced::Done);
    }
}
