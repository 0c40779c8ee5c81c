//! What the system asks of programs for accessibility: more contrast, less motion.
//!
//! On Linux, the desktop portal's settings are read and followed. On Windows and macOS, reading them takes unsafe calls, so
//! the program's own settings decide alone.

use std::sync::{Arc, Mutex, PoisonError};

use batch::worker::Wake;

/// What a system can ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// The high-contrast theme, if the theme is left to the system.
    pub high_contrast: bool,
    /// No animations.
    pub less_motion: bool,
}

/// The system's wishes, read on a thread of their own.
#[derive(Clone, Debug, Default)]
pub struct SystemWishes(Arc<Mutex<Option<Wishes>>>);

impl SystemWishes {
    /// The wishes, if they are new since the last call.
    pub(crate) fn take(&self) -> Option<Wishes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Sets the wishes, which take effect in the next pass.
    pub fn set(&self, wishes: Wishes) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(wishes);
    }

    /// Reads the wishes, and again whenever they change. Does not block; `wake` requests a repaint.
    pub fn follow(&self, wake: Wake) {
        #[cfg(not(any(target_os = "windows", target_os = "macos")))]
        portal::follow(self.clone(), wake);
        #[cfg(any(target_os = "windows", target_os = "macos"))]
        let _ = wake;
    }
}

#[cfg(not(any(target_os = "windows", target_os = "macos")))]
mod portal {
    use std::collections::HashMap;

    use batch::worker::{Wake, spawn_named};
    use zbus::blocking::{Connection, Proxy};
    use zbus::zvariant::OwnedValue;

    use super::{SystemWishes, Wishes};

    const APPEARANCE: &str = "org.freedesktop.appearance";
    const GNOME: &str = "org.gnome.desktop.interface";
    const GNOME_ACCESSIBILITY: &str = "org.gnome.desktop.a11y.interface";

    const NAMESPACES: [&str; 3] = [APPEARANCE, GNOME, GNOME_ACCESSIBILITY];

    /// Values by namespace and key.
    type Values = HashMap<String, HashMap<String, OwnedValue>>;

    pub(super) fn follow(wishes: SystemWishes, wake: Wake) {
        let followed = spawn_named("wishes", move || {
            if let Err(error) = read_and_follow(&wishes, &wake) {
                tracing::debug!(%error, "the desktop's wishes for accessibility are not known");
            }
        });
        if let Err(error) = followed {
            tracing::warn!(%error, "the desktop's wishes for accessibility are not read");
        }
    }

    /// Returns once the desktop's settings have ended.
    fn read_and_follow(wishes: &SystemWishes, wake: &Wake) -> zbus::Result<()> {
        let bus = Connection::session()?;
        let settings = Proxy::new(
            &bus,
            "org.freedesktop.portal.Desktop",
            "/org/freedesktop/portal/desktop",
            "org.freedesktop.portal.Settings",
        )?;
        let changes = settings.receive_signal("SettingChanged")?;
        let read = || -> zbus::Result<()> {
            let values: Values = settings.call("ReadAll", &(NAMESPACES.as_slice(),))?;
            wishes.set(wished(&values));
            wake();
            Ok(())
        };
        read()?;
        for _ in changes {
            read()?;
        }
        Ok(())
    }

    fn wished(values: &Values) -> Wishes {
        let value = |namespace: &str, key: &str| values.get(namespace)?.get(key);
        let number = |namespace, key| value(namespace, key).and_then(|value| u32::try_from(value).ok());
        let is = |namespace, key| value(namespace, key).and_then(|value| bool::try_from(value).ok());
        Wishes {
            high_contrast: number(APPEARANCE, "contrast") == Some(1)
                || is(GNOME_ACCESSIBILITY, "high-contrast") == Some(true),
            less_motion: number(APPEARANCE, "reduced-motion") == Some(1)
                || is(GNOME, "enable-animations") == Some(false),
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        fn of(entries: Vec<(&str, &str, OwnedValue)>) -> Wishes {
            let mut values = Values::new();
            for (namespace, key, value) in entries {
                values.entry(namespace.to_owned()).or_default().insert(key.to_owned(), value);
            }
            wished(&values)
        }

        #[test]
        fn wishes_are_read_from_the_common_and_from_gnomes_settings() {
            let (contrast, motion) = (
                Wishes { high_contrast: true, ..Wishes::default() },
                Wishes { less_motion: true, ..Wishes::default() },
            );
            assert_eq!(of(vec![]), Wishes::default());
            assert_eq!(of(vec![(APPEARANCE, "contrast", 1_u32.into())]), contrast);
            assert_eq!(of(vec![(APPEARANCE, "contrast", 0_u32.into())]), Wishes::default());
            assert_eq!(of(vec![(GNOME_ACCESSIBILITY, "high-contrast", true.into())]), contrast);
            assert_eq!(of(vec![(APPEARANCE, "reduced-motion", 1_u32.into())]), motion);
            assert_eq!(of(vec![(GNOME, "enable-animations", false.into())]), motion);
            assert_eq!(of(vec![(GNOME, "enable-animations", true.into())]), Wishes::default());
            assert_eq!(of(vec![(APPEARANCE, "contrast", true.into())]), Wishes::default(), "of another type");
        }
    }
}
