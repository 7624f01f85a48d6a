//! Bytes of an XML file to text: byte order mark, else the declared encoding, else UTF-8 (XML 1.0, appendix F).

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use crate::{Diagnostic, ReadError, SourceFile, Span};

/// The text of `bytes`, the content of a file called `name`.
///
/// # Errors
/// If the bytes are not text in the declared encoding; the error contains the file as far as it can be shown.
pub fn decode(name: &str, bytes: &[u8]) -> Result<SourceFile, ReadError> {
    if u32::try_from(bytes.len()).is_err() {
        let error = Diagnostic::error("the file is larger than 4 GB", None).with_help("split the model");
        return Err(ReadError::of(SourceFile::new(name, ""), error));
    }
    let (body, found) = match encoding_of(bytes) {
        Ok(found) => found,
        Err(error) => {
            return Err(ReadError::of(
                SourceFile::new(name, String::from_utf8_lossy(bytes)),
                error,
            ));
        }
    };
    match found {
        DetectedEncoding::Latin1 => Ok(SourceFile::new(name, encoding_rs::mem::decode_latin1(body))),
        DetectedEncoding::Known(encoding) => decode_as(name, encoding, body),
    }
}

enum DetectedEncoding {
    /// ISO 8859-1 to the letter (`encoding_rs` would take it for windows-1252).
    Latin1,
    Known(&'static Encoding),
}

fn encoding_of(bytes: &[u8]) -> Result<(&[u8], DetectedEncoding), Diagnostic> {
    if bytes.starts_with(&[0xFF, 0xFE, 0, 0]) || bytes.starts_with(&[0, 0, 0xFE, 0xFF]) {
        return Err(
            Diagnostic::error("the file is encoded in UTF-32, which is not supported", None)
                .with_help("save it as UTF-8"),
        );
    }
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        return Ok((&bytes[length..], DetectedEncoding::Known(encoding)));
    }
    match bytes {
        [b'<', 0, b'?', 0, ..] => return Ok((bytes, DetectedEncoding::Known(UTF_16LE))),
        [0, b'<', 0, b'?', ..] => return Ok((bytes, DetectedEncoding::Known(UTF_16BE))),
        _ => {}
    }
    let Some(span) = declared_encoding(bytes) else {
        return Ok((bytes, DetectedEncoding::Known(UTF_8)));
    };
    let label = String::from_utf8_lossy(&bytes[span.range()]).to_ascii_lowercase();
    match label.as_str() {
        "iso-8859-1" | "iso_8859-1" | "latin1" | "l1" => return Ok((bytes, DetectedEncoding::Latin1)),
        _ => {}
    }
    match Encoding::for_label(label.as_bytes()) {
        Some(encoding) if encoding == UTF_16LE || encoding == UTF_16BE => Err(Diagnostic::error(
            format!("the XML declaration says `{label}`, but the bytes are not UTF-16"),
            span,
        )
        .with_help("save the file as UTF-8 and declare encoding=\"utf-8\"")),
        Some(encoding) => Ok((bytes, DetectedEncoding::Known(encoding))),
        None => Err(Diagnostic::error(format!("unknown encoding `{label}`"), span)
            .with_help("save the file as UTF-8 and declare encoding=\"utf-8\"")),
    }
}

/// Byte range of the encoding's name in `<?xml … encoding="…"?>`.
pub fn declared_encoding(bytes: &[u8]) -> Option<Span> {
    if !bytes.starts_with(b"<?xml") {
        return None;
    }
    let end = bytes.windows(2).take(1000).position(|pair| pair == b"?>")?;
    let declaration = &bytes[..end];
    let keyword = declaration.windows(8).position(|part| part == b"encoding")? + 8;
    let quote_at = keyword
        + declaration[keyword..]
            .iter()
            .position(|byte| matches!(byte, b'"' | b'\''))?;
    let start = quote_at + 1;
    let length = declaration[start..]
        .iter()
        .position(|byte| *byte == declaration[quote_at])?;
    Some(Span::new(start, start + length))
}

fn decode_as(name: &str, encoding: &'static Encoding, body: &[u8]) -> Result<SourceFile, ReadError> {
    if let Some(text) = encoding.decode_without_bom_handling_and_without_replacement(body) {
        return Ok(SourceFile::new(name, text));
    }
    let valid = valid_prefix(encoding, body);
    let (text, _) = encoding.decode_without_bom_handling(body);
    let shown = encoding
        .decode_without_bom_handling(&body[..valid])
        .0
        .len()
        .min(text.len());
    let message = match body.get(valid) {
        Some(byte) => format!("byte 0x{byte:02X} at offset {valid} is not valid {}", encoding.name()),
        None => format!("the file ends inside a character of {}", encoding.name()),
    };
    let error = Diagnostic::error(message, Span::new(shown, shown + '\u{FFFD}'.len_utf8()))
        .with_help("declare the encoding the file really has, or save it as UTF-8");
    Err(ReadError::of(SourceFile::new(name, text), error))
}

/// Number of leading bytes that decode without an error.
fn valid_prefix(encoding: &'static Encoding, body: &[u8]) -> usize {
    if encoding == UTF_8 {
        return Encoding::utf8_valid_up_to(body);
    }
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut room = String::with_capacity(body.len().saturating_mul(3) + 16);
    match decoder.decode_to_string_without_replacement(body, &mut room, true) {
        (encoding_rs::DecoderResult::Malformed(length, after), read) => {
            read.saturating_sub(usize::from(length) + usize::from(after))
        }
        (_, read) => read,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_found_by_mark_by_declaration_and_by_default() {
        let latin: &[u8] = b"<?xml version='1.0' encoding='iso-8859-1'?><a>\xE9</a>";
        assert!(decode("f", latin).unwrap().text().ends_with("<a>é</a>"));
        assert_eq!(decode("f", "é".as_bytes()).unwrap().text(), "é");
        assert_eq!(decode("f", b"\xEF\xBB\xBFa").unwrap().text(), "a");
        assert_eq!(decode("f", b"\xFF\xFEa\0\xE9\0").unwrap().text(), "aé");
        assert_eq!(decode("f", b"<\0?\0").unwrap().text(), "<?");
        let windows: &[u8] = b"<?xml encoding=\"windows-1252\"?>\x80";
        assert!(decode("f", windows).unwrap().text().ends_with('€'));
    }

    #[test]
    fn bytes_that_are_no_text_are_refused_with_their_position() {
        let ReadError { file, diagnostics } = decode("f", b"ab\xC3(").unwrap_err();
        let [error] = &diagnostics[..] else { panic!("one error") };
        assert_eq!(error.span, Some(Span::new(2, 5)));
        assert_eq!(file.text(), "ab\u{FFFD}(");
        assert_eq!(error.message, "byte 0xC3 at offset 2 is not valid UTF-8");
    }
}
