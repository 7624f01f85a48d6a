"""Follows every link inside a built book; see check-book.sh.

Usage: check_book.py FOLDER
"""

import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """The names that a page has, and what it links to."""

    def __init__(self, path):
        super().__init__()
        self.path, self.names, self.links = path, set(), []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        for name in ("id", "name"):
            if attributes.get(name):
                self.names.add(attributes[name])
        for name in ("href", "src"):
            if attributes.get(name):
                self.links.append(attributes[name])


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    # The page that prints everything has the links of all others, and is not one of the book's own.
    paths = [path for path in sorted(folder.rglob("*.html")) if path.name not in ("print.html", "404.html")]
    pages = {path: Page(path) for path in paths}
    n_links, wrong = 0, []
    for page in pages.values():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            n_links += 1
            target = (page.path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else page.path
            if not target.exists():
                wrong.append(f"{page.path.name}: {link} leads nowhere")
            elif parts.fragment and target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].names:
                wrong.append(f"{page.path.name}: {link} has no such heading")
    print("\n".join(wrong))
    print(f"check-book: {len(pages)} pages, {n_links} links inside the book, {len(wrong)} wrong")
    sys.exit(1 if wrong or n_links < 1000 else 0)


main()
