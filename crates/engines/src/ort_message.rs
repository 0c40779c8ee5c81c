//! Messages of ONNX Runtime, as they are displayed.

use inference::one_line;

/// The engine's message on one line, without its prefix of source location and error code:
/// `/src/x.cc:2043 Get() [ONNXRuntimeError] : 1 : FAIL : Failed to load ..`.
pub(super) fn bare_message(text: &str) -> String {
    let message = text.split_once("[ONNXRuntimeError] : ").and_then(|(_, rest)| rest.splitn(3, " : ").nth(2));
    one_line(&message.unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prefix_of_a_message_is_removed() {
        let text = "/src/x.cc:2043 Get() [ONNXRuntimeError] : 1 : FAIL : Failed to load\n : y.so";
        assert_eq!(bare_message(text), "Failed to load : y.so");
        assert_eq!(bare_message("other  text"), "other text");
    }
}
