//! A page of HTML by its text: tags, scripts and styles are left out, block tags end a line.

use memchr::memchr;

/// Is there a whole page in the text?
pub(super) fn is_page(text: &[u8]) -> bool {
    let mut from = 0;
    while let Some(at) = memchr(b'<', &text[from..]) {
        let tag = &text[from + at + 1..];
        if starts(tag, b"!doctype html") || starts(tag, b"html") || starts(tag, b"body") {
            return true;
        }
        from += at + 1;
    }
    false
}

/// The text of a page. Whatever stands before the first tag is kept as it is.
pub(super) fn text_of(page: &[u8], out: &mut Vec<u8>) {
    let mut rest = page;
    while let Some(at) = memchr(b'<', rest) {
        out.extend_from_slice(&rest[..at]);
        let tag = &rest[at + 1..];
        if !tag.first().is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'/' | b'!' | b'?')) {
            out.push(b'<');
            rest = tag;
            continue;
        }
        let hidden: Option<&[u8]> =
            [b"script".as_slice(), b"style", b"!--"].into_iter().find(|name| starts(tag, name));
        rest = match hidden {
            Some(b"!--") => behind(tag, b"-->"),
            Some(b"script") => behind(tag, b"</script"),
            Some(_) => behind(tag, b"</style"),
            None => tag,
        };
        if hidden == Some(b"!--") {
            continue;
        }
        let name = tag.strip_prefix(b"/").unwrap_or(tag);
        let length = name.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
        let block = BLOCKS.iter().any(|block| name[..length].eq_ignore_ascii_case(block.as_bytes()));
        out.push(if block { b'\n' } else { b' ' });
        rest = memchr(b'>', rest).map_or(b"", |end| &rest[end + 1..]);
    }
    out.extend_from_slice(rest);
}

#[rustfmt::skip]
const BLOCKS: [&str; 22] = [
    "address", "article", "br", "dd", "div", "dt", "footer", "form", "h1", "h2", "h3", "h4", "header", "hr",
    "li", "main", "p", "pre", "section", "title", "tr", "ul",
];

fn starts(text: &[u8], word: &[u8]) -> bool {
    text.len() >= word.len()
        && text[..word.len()].eq_ignore_ascii_case(word)
        && !text.get(word.len()).is_some_and(u8::is_ascii_alphanumeric)
}

/// What follows `word`, or nothing.
fn behind<'a>(text: &'a [u8], word: &[u8]) -> &'a [u8] {
    memchr::memmem::find(text, word).map_or(b"", |at| &text[at + word.len()..])
}
