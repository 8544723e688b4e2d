//! The frame of a page, and the little of HTML and Markdown that the reference needs.

/// Text as it stands in HTML.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Paragraphs and code of Markdown; a description uses nothing else.
pub fn prose(text: &str) -> String {
    text.split("\n\n").map(|paragraph| format!("<p>{}</p>", line(paragraph))).collect()
}

/// One line of Markdown with its code.
pub fn line(text: &str) -> String {
    let parts = escape(text);
    let mut open = false;
    let mut html = String::with_capacity(parts.len());
    for (index, part) in parts.split('`').enumerate() {
        if index > 0 {
            html.push_str(if open { "</code>" } else { "<code>" });
            open = !open;
        }
        html.push_str(part);
    }
    if open {
        html.push_str("</code>");
    }
    html
}

/// A whole page.
pub fn frame(title: &str, nav: &str, main: &str) -> String {
    let style = include_str!("style.css");
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title}</title><style>{style}</style></head>\
         <body><nav aria-label=\"Contents\">{nav}</nav><main>{main}</main></body></html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_marked_and_nothing_is_markup() {
        assert_eq!(line("take `a<b` & go"), "take <code>a&lt;b</code> &amp; go");
        assert_eq!(prose("one\n\n`two"), "<p>one</p><p><code>two</code></p>");
    }
}
