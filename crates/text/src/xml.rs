//! XML for writing: elements with attributes, text and other elements, spelled by quick-xml.
//!
//! An element is on one line unless it is a [block](Element::block), whose parts have a line each.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::escape::{escape, partial_escape};
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

pub use crate::xml_size::too_many_attributes;

/// `text` escaped for use between two tags.
pub fn content(text: &str) -> Cow<'_, str> {
    partial_escape(text)
}

/// `text` escaped for use between quotation marks, single or double.
pub fn attribute(text: &str) -> Cow<'_, str> {
    escape(text)
}

/// Layout of blocks.
#[derive(Clone, Copy, Debug)]
pub struct Layout<'a> {
    /// The line terminator.
    pub newline: &'a str,
    /// The white space before the element itself.
    pub margin: &'a str,
    /// The white space that each level of blocks adds.
    pub indent: &'a str,
}

impl Default for Layout<'_> {
    fn default() -> Self {
        Self {
            newline: "\n",
            margin: "",
            indent: "  ",
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum XmlPart {
    Text(String),
    Markup(String),
    Element(Element),
}

/// An element of an XML file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Element {
    name: Cow<'static, str>,
    attributes: Vec<(&'static str, String)>,
    parts: Vec<XmlPart>,
    is_block: bool,
}

impl Element {
    /// An element without attributes and content.
    pub fn new(name: impl Into<Cow<'static, str>>) -> Self {
        Self {
            name: name.into(),
            attributes: Vec::new(),
            parts: Vec::new(),
            is_block: false,
        }
    }
    /// The same with one more attribute.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        self.attributes.push((name, value.to_string()));
        self
    }
    /// The same with one more attribute, if it has a value.
    #[must_use]
    pub fn with_some(self, name: &'static str, value: Option<impl ToString>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }
    /// The same with `text` at its end. With an empty text the element has two tags.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.parts.push(XmlPart::Text(text.into()));
        self
    }
    /// The same with `markup`, which is XML already, at its end.
    #[must_use]
    pub fn markup(mut self, markup: impl Into<String>) -> Self {
        self.parts.push(XmlPart::Markup(markup.into()));
        self
    }
    /// The same with another element at its end.
    #[must_use]
    pub fn child(mut self, child: Self) -> Self {
        self.parts.push(XmlPart::Element(child));
        self
    }
    /// The same with other elements at its end.
    #[must_use]
    pub fn children(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        self.parts.extend(children.into_iter().map(XmlPart::Element));
        self
    }
    /// The same element laid out as a block: a line for each part, and both tags even without parts.
    #[must_use]
    pub fn block(mut self) -> Self {
        self.is_block = true;
        self
    }

    /// The element as text, without a line end behind it.
    pub fn laid_out(&self, layout: &Layout<'_>) -> String {
        written(|to| self.write(&mut Writer::new(to), layout, 0))
    }

    /// A whole file: the XML declaration, a document type if there is one, and the element.
    pub fn document(&self, declaration: &Declaration<'_>, layout: &Layout<'_>) -> String {
        written(|to| {
            let mut file = DocumentWriter::new(to, declaration, *layout)?;
            file.put(self)?;
            file.finish().map(|_| ())
        })
    }

    fn write(&self, writer: &mut Writer<impl Write>, layout: &Layout<'_>, depth: usize) -> io::Result<()> {
        let mut tag = BytesStart::new(&*self.name);
        tag.extend_attributes(self.attributes.iter().map(|(name, value)| (*name, value.as_str())));
        if self.parts.is_empty() && !self.is_block {
            return writer.write_event(Event::Empty(tag));
        }
        writer.write_event(Event::Start(tag))?;
        for part in &self.parts {
            if self.is_block {
                end_line(writer, layout, depth + 1)?;
            }
            match part {
                XmlPart::Text(text) => writer.write_event(Event::Text(BytesText::from_escaped(content(text))))?,
                XmlPart::Markup(markup) => writer.write_event(Event::Text(BytesText::from_escaped(markup)))?,
                XmlPart::Element(child) => child.write(writer, layout, depth + usize::from(self.is_block))?,
            }
        }
        if self.is_block {
            end_line(writer, layout, depth)?;
        }
        writer.write_event(Event::End(BytesEnd::new(&*self.name)))
    }
}

/// A file that is written part by part: what its blocks hold is in memory one element at a time.
pub struct DocumentWriter<'a, W: Write> {
    writer: Writer<W>,
    layout: Layout<'a>,
    open: Vec<&'static str>,
}

impl<'a, W: Write> DocumentWriter<'a, W> {
    /// Begins a file with its declaration.
    ///
    /// # Errors
    /// Those of `to`, as of all methods.
    pub fn new(to: W, declaration: &Declaration<'_>, layout: Layout<'a>) -> io::Result<Self> {
        let mut writer = Writer::new(to);
        let Declaration {
            encoding,
            standalone,
            doctype,
        } = *declaration;
        writer.write_event(Event::Decl(BytesDecl::new("1.0", Some(encoding), standalone)))?;
        if let Some(doctype) = doctype {
            end_line(&mut writer, &layout, 0)?;
            writer.write_event(Event::DocType(BytesText::from_escaped(doctype)))?;
        }
        Ok(Self {
            writer,
            layout,
            open: Vec::new(),
        })
    }
    /// Begins a [block](Element::block) without attributes; what follows is in it, up to its [end](Self::close).
    ///
    /// # Errors
    /// As of [`DocumentWriter::new`].
    pub fn open(&mut self, name: &'static str) -> io::Result<()> {
        end_line(&mut self.writer, &self.layout, self.open.len())?;
        self.open.push(name);
        self.writer.write_event(Event::Start(BytesStart::new(name)))
    }
    /// Writes a whole element.
    ///
    /// # Errors
    /// As of [`DocumentWriter::new`].
    pub fn put(&mut self, element: &Element) -> io::Result<()> {
        end_line(&mut self.writer, &self.layout, self.open.len())?;
        element.write(&mut self.writer, &self.layout, self.open.len())
    }
    /// Ends the last open block.
    ///
    /// # Errors
    /// As of [`DocumentWriter::new`].
    ///
    /// # Panics
    /// If no block is open.
    pub fn close(&mut self) -> io::Result<()> {
        let name = self.open.pop().expect("a block is open");
        end_line(&mut self.writer, &self.layout, self.open.len())?;
        self.writer.write_event(Event::End(BytesEnd::new(name)))
    }
    /// Ends all blocks and the file.
    ///
    /// # Errors
    /// As of [`DocumentWriter::new`].
    pub fn finish(mut self) -> io::Result<W> {
        while !self.open.is_empty() {
            self.close()?;
        }
        end_line(&mut self.writer, &self.layout, 0)?;
        Ok(self.writer.into_inner())
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.laid_out(&Layout::default()))
    }
}

/// The XML declaration and document type, which precede the root element of a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Declaration<'a> {
    /// The name of the encoding.
    pub encoding: &'a str,
    /// Value of the `standalone` attribute.
    pub standalone: Option<&'a str>,
    /// The document type.
    pub doctype: Option<&'a str>,
}

fn end_line(writer: &mut Writer<impl Write>, layout: &Layout<'_>, depth: usize) -> io::Result<()> {
    let to = writer.get_mut();
    to.write_all(layout.newline.as_bytes())?;
    to.write_all(layout.margin.as_bytes())?;
    (0..depth).try_for_each(|_| to.write_all(layout.indent.as_bytes()))
}

/// The text that `write` writes.
///
/// # Panics
/// If it fails without need, or writes anything but text.
pub fn written(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes).expect("a vector takes all bytes");
    String::from_utf8(bytes).expect("only text was written")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_a_line_for_each_part_and_everything_is_escaped() {
        let inline = Element::new("b")
            .with("at", "\"'\n")
            .text("<x> & \"y\"")
            .child(Element::new("c"));
        let block = Element::new("a").block().child(inline).child(Element::new("e").block());
        let layout = Layout {
            newline: "\r\n",
            margin: " ",
            indent: "\t",
        };
        assert_eq!(
            block.laid_out(&layout),
            "<a>\r\n \t<b at=\"&quot;&apos;&#10;\">&lt;x&gt; &amp; \"y\"<c/></b>\r\n \t<e>\r\n \t</e>\r\n </a>"
        );
    }

    #[test]
    fn a_file_begins_with_its_declaration() {
        let declaration = Declaration {
            encoding: "utf-8",
            doctype: Some("a SYSTEM 'a.dtd'"),
            ..Declaration::default()
        };
        let root = Element::new("a").markup("&lt;").with_some("at", None::<u8>);
        assert_eq!(
            root.document(&declaration, &Layout::default()),
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!DOCTYPE a SYSTEM 'a.dtd'>\n<a>&lt;</a>\n"
        );
    }
}
