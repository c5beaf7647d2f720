//! An output as a tree of values.
//!
//! Whatever the spelling (JSON, a Python literal, YAML, HTML, a table, a log), an output becomes one tree: objects
//! (any order), lists (their order counts), rows and lines (any order), and leaves. What is compared are the leaves
//! where they stand. Nodes lie in one array, parents before children, and all text lies in one buffer.

mod html;
mod json;
mod python;
mod text;
mod yaml;

use std::ops::Range;

/// Deepest nesting of a value; what is deeper counts as plain text. Real results stay below 20.
pub(super) const DEPTH: usize = 64;
/// How many times a text inside a value is itself read as a value.
const TEXT_IN_TEXT: usize = 3;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Members by key; their order says nothing.
    Object,
    /// Items in their order.
    List,
    /// Objects or lists that may stand in another order.
    Rows,
    /// Lines of text that may stand in another order.
    Lines,
    /// A text, or one line of a text.
    Text,
    /// A number as it is spelled.
    Number,
    /// `true`
    True,
    /// `false`
    False,
    /// `null`
    Null,
}

/// One node.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// What it is.
    pub kind: Kind,
    /// Where its key stands in the text; empty without one.
    key: (u32, u32),
    /// Where its text stands.
    value: (u32, u32),
    /// The index behind its last descendant.
    pub end: u32,
    /// For a line: the line that it stands under (a heading, or a line with less indentation).
    pub under: Option<u32>,
}

/// A parsed output.
#[derive(Clone, Debug, Default)]
pub(super) struct Document {
    text: Vec<u8>,
    nodes: Vec<Node>,
    depth: usize,
    texts: usize,
}

/// Reads the value at the beginning of some bytes into a document; `Ok` says where it ends.
type Prefix = fn(&mut Document, (u32, u32), &[u8]) -> Result<usize, usize>;

impl Document {
    /// Reads an output. Never fails: what is nothing else is lines of text.
    pub fn read(&mut self, bytes: &[u8]) {
        self.text.clear();
        self.nodes.clear();
        self.depth = 0;
        self.texts = 0;
        let trimmed = bytes.trim_ascii();
        if matches!(trimmed.first(), Some(b'"')) && self.read_whole((0, 0), trimmed, json::prefix) {
            return;
        }
        let at = self.store(bytes);
        self.text_value((0, 0), at);
    }

    /// How many nodes there are; node 0 is the whole.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// A node.
    pub fn node(&self, index: usize) -> &Node {
        &self.nodes[index]
    }

    /// The children of a node, in their order.
    pub fn children(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.nodes[index].end as usize;
        let mut next = index + 1;
        std::iter::from_fn(move || {
            let child = next;
            (child < end).then(|| {
                next = self.nodes[child].end as usize;
                child
            })
        })
    }

    /// The key of a node.
    pub fn key(&self, index: usize) -> &[u8] {
        let (start, end) = self.nodes[index].key;
        &self.text[start as usize..end as usize]
    }

    /// The text of a leaf.
    pub fn value(&self, index: usize) -> &[u8] {
        let (start, end) = self.nodes[index].value;
        &self.text[start as usize..end as usize]
    }

    /// The beginning of what a node says, in one line, for people.
    pub fn shown(&self, index: usize) -> Vec<u8> {
        let end = self.nodes[index].end as usize;
        if end == index + 1 {
            return self.value(index).to_vec();
        }
        let mut out = Vec::new();
        for leaf in (index..end).filter(|&leaf| self.nodes[leaf].end as usize == leaf + 1) {
            if out.len() > 1024 {
                break;
            }
            if !out.is_empty() {
                out.push(b' ');
            }
            if !self.key(leaf).is_empty() {
                out.extend_from_slice(self.key(leaf));
                out.push(b'=');
            }
            out.extend_from_slice(self.value(leaf));
        }
        out
    }

    fn store(&mut self, bytes: &[u8]) -> (u32, u32) {
        let start = self.text.len() as u32;
        self.text.extend_from_slice(bytes);
        (start, self.text.len() as u32)
    }

    fn bytes(&self, span: (u32, u32)) -> &[u8] {
        &self.text[span.0 as usize..span.1 as usize]
    }

    fn leaf(&mut self, kind: Kind, key: (u32, u32), value: (u32, u32)) -> usize {
        let index = self.nodes.len();
        self.nodes.push(Node { kind, key, value, end: index as u32 + 1, under: None });
        index
    }

    fn open(&mut self, kind: Kind, key: (u32, u32)) -> usize {
        self.depth += 1;
        self.leaf(kind, key, (0, 0))
    }

    fn close(&mut self, index: usize) {
        self.depth -= 1;
        self.nodes[index].end = self.nodes.len() as u32;
        if self.nodes[index].kind == Kind::List && self.holds_rows(index) {
            self.nodes[index].kind = Kind::Rows;
        }
    }

    /// Are all items objects or lists? The content blocks of an MCP result are parts of one text in their order.
    fn holds_rows(&self, index: usize) -> bool {
        let row = |child: usize| matches!(self.nodes[child].kind, Kind::Object | Kind::List | Kind::Rows);
        let rows = index + 1 < self.nodes.len() && self.children(index).all(row);
        let block = |child: usize| self.children(child).any(|member| self.key(member) == b"type");
        rows && !self.is_board(index) && !(self.key(index) == b"content" && self.children(index).all(block))
    }

    /// Are all items lists of the same length, two or more, of single characters?
    fn is_board(&self, index: usize) -> bool {
        let width = |row: usize| {
            let cell = |child: usize| {
                let character =
                    std::str::from_utf8(self.value(child)).is_ok_and(|text| text.chars().count() <= 1);
                matches!(self.nodes[child].kind, Kind::Text | Kind::Number) && character
            };
            let list = self.nodes[row].kind == Kind::List && self.children(row).all(cell);
            list.then(|| self.children(row).count())
        };
        let first = width(index + 1);
        first.is_some_and(|width| width >= 2) && self.children(index).all(|row| width(row) == first)
    }

    /// Reads all of `bytes` as the one value that `prefix` reads from their beginning. Leaves the document as it was and
    /// returns `false` when it is none.
    fn read_whole(&mut self, key: (u32, u32), bytes: &[u8], prefix: Prefix) -> bool {
        let mark = self.mark();
        let read = prefix(self, key, bytes).is_ok_and(|end| bytes[end..].trim_ascii().is_empty());
        if !read {
            self.rewind(mark);
        }
        read
    }

    /// Takes back everything that was read since `mark`.
    fn rewind(&mut self, mark: Mark) {
        self.nodes.truncate(mark.nodes);
        self.text.truncate(mark.text);
        self.depth = mark.depth;
    }

    fn mark(&self) -> Mark {
        Mark { nodes: self.nodes.len(), text: self.text.len(), depth: self.depth }
    }

    /// A text at `span`: a value in itself (JSON, a Python literal, YAML), several lines, or one line.
    fn text_value(&mut self, key: (u32, u32), span: (u32, u32)) {
        let span = self.trimmed(span);
        if span.0 == span.1 || text::is_plain_line(self.bytes(span)) {
            self.leaf(Kind::Text, key, span);
            return;
        }
        if self.texts < TEXT_IN_TEXT && self.depth < DEPTH {
            self.texts += 1;
            let read = self.value_in_text(key, span);
            self.texts -= 1;
            if read {
                return;
            }
        }
        text::lines(self, key, span);
    }

    fn value_in_text(&mut self, key: (u32, u32), span: (u32, u32)) -> bool {
        let first = self.text[span.0 as usize];
        if matches!(first, b'{' | b'[' | b'(') {
            let owned = self.bytes(span).to_vec();
            return (first != b'(' && self.read_whole(key, &owned, json::prefix))
                || self.read_whole(key, &owned, python::prefix);
        }
        yaml::whole(self, key, span)
    }

    fn trimmed(&self, span: (u32, u32)) -> (u32, u32) {
        let bytes = self.bytes(span);
        let start = span.0 + (bytes.len() - bytes.trim_ascii_start().len()) as u32;
        (start, start + bytes.trim_ascii().len() as u32)
    }
}

/// A point to which a document can be taken back.
#[derive(Clone, Copy)]
struct Mark {
    nodes: usize,
    text: usize,
    depth: usize,
}

fn span(base: u32, range: Range<usize>) -> (u32, u32) {
    (base + range.start as u32, base + range.end as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tree in one line: objects `{}`, lists `[]`, rows `<>`, lines `|…|`.
    pub(super) fn tree(text: &str) -> String {
        let mut document = Document::default();
        document.read(text.as_bytes());
        let mut out = String::new();
        show(&document, 0, &mut out);
        out
    }

    fn show(document: &Document, index: usize, out: &mut String) {
        let key = document.key(index);
        if !key.is_empty() {
            out.push_str(&String::from_utf8_lossy(key));
            out.push('=');
        }
        let (open, close) = match document.node(index).kind {
            Kind::Object => ('{', '}'),
            Kind::List => ('[', ']'),
            Kind::Rows => ('<', '>'),
            Kind::Lines => ('|', '|'),
            _ => return out.push_str(&String::from_utf8_lossy(document.value(index))),
        };
        out.push(open);
        for (at, child) in document.children(index).enumerate() {
            if at > 0 {
                out.push(' ');
            }
            show(document, child, out);
        }
        out.push(close);
    }

    #[test]
    fn every_spelling_becomes_one_tree() {
        let table = [
            (r#"{"a": [1, 2], "b": [{"c": 3}]}"#, "{a=[1 2] b=<{c=3}>}"),
            (r#""{\"a\": 1}""#, "{a=1}"),
            (r#"{"a": "{\"b\": 1}"}"#, "{a={b=1}}"),
            ("{'a': [1, True], 'b': (2, None)}", "{a=[1 true] b=[2 null]}"),
            ("[('x',), ('y',)]", "<[x] [y]>"),
            ("[['x', ' '], ['o', 'x']]", "[[x ] [o x]]"),
            ("[[0, 1], [1, 0]]", "[[0 1] [1 0]]"),
            ("[['ann', 1], ['bob', 2]]", "<[ann 1] [bob 2]>"),
            ("a: 1\nb:\n- x\n- y", "{a=1 b=[x y]}"),
            ("one line", "one line"),
            ("one\n\ntwo", "|one two|"),
            ("Found:\n```json\n{\"a\": 1}\n```", "|Found: {a=1}|"),
            ("Result: {\"a\": 1}", "|Result: {a=1}|"),
        ];
        for (text, expected) in table {
            assert_eq!(tree(text), expected, "{text}");
        }
    }

    #[test]
    fn content_blocks_keep_their_order() {
        assert_eq!(
            tree(r#"{"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}"#),
            "{content=[{type=text text=a} {type=text text=b}]}"
        );
    }

    #[test]
    fn what_is_nested_too_deeply_is_text() {
        let deep = format!("{}1{}", "[".repeat(1000), "]".repeat(1000));
        assert_eq!(tree(&deep), deep);
    }
}
