"""A visitor with cookies and without scripts: opens pages, finds the forms in them, sends these."""

import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.cookiejar import CookieJar

from tests.smoke.report import Lie


@dataclass
class Button:
    """A way to send a form: its text, and the pair it adds."""

    text: str = ""
    name: str = ""
    value: str = ""


@dataclass
class Form:
    """A form as it stands in the page."""

    action: str
    method: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    buttons: list[Button] = field(default_factory=list)
    text: str = ""


class _Forms(HTMLParser):
    """Collects the forms of a page, with what a browser would send."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._form: Form | None = None
        self._button: Button | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = Form(attributes.get("action", ""), attributes.get("method", "get").lower())
            self.forms.append(self._form)
        elif self._form is not None and tag == "button":
            self._button = Button("", attributes.get("name", ""), attributes.get("value", ""))
            self._form.buttons.append(self._button)
        elif self._form is not None and tag == "input":
            self._take_input(self._form, attributes)

    def _take_input(self, form: Form, attributes: dict[str, str]) -> None:
        kind, name = attributes.get("type", "text"), attributes.get("name", "")
        if kind in ("submit", "image"):
            form.buttons.append(Button(attributes.get("value", ""), name, attributes.get("value", "")))
        elif name and (kind not in ("checkbox", "radio") or "checked" in attributes):
            form.fields.append((name, attributes.get("value", "on" if kind == "checkbox" else "")))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "button":
            self._button = None

    def handle_data(self, data: str) -> None:
        if self._form is not None:
            self._form.text += data
        if self._button is not None:
            self._button.text += data


@dataclass
class Page:
    """What came back."""

    url: str
    status: int
    text: str

    @property
    def forms(self) -> list[Form]:
        parser = _Forms()
        parser.feed(self.text)
        return parser.forms

    def find_button(self, action: str, words: str) -> tuple[Form, Button]:
        """The form that posts there, with the button that says or sends this."""
        for form in self.forms:
            for button in form.buttons:
                if action in form.action and (words == button.value or words in button.text):
                    return form, button
        raise Lie(f"{self.url} has no button {words} that posts to {action}.")

    def rows(self) -> list[str]:
        """The text of each table row, cells parted by a bar."""
        parser = _Rows()
        parser.feed(self.text)
        return parser.rows


class _Rows(HTMLParser):
    """The words of each table row; words that stand in attributes for machines and ears alone are left out."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[str] = []
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.rows.append("")
            self._depth += 1
        elif tag in ("td", "th") and self._depth:
            self.rows[-1] += " | "

    def handle_endtag(self, tag: str) -> None:
        if tag == "tr":
            self._depth -= 1
            self.rows[-1] = " ".join(self.rows[-1].split())

    def handle_data(self, data: str) -> None:
        if self._depth > 0:
            self.rows[-1] += data + " "


class Browser:
    """One visitor."""

    def __init__(self, base_url: str) -> None:
        self.base_url = base_url
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def get(self, path: str) -> Page:
        return self._open(urllib.request.Request(urllib.parse.urljoin(self.base_url, path)))  # noqa: S310

    def submit(self, page: Page, form: Form, button: Button | None = None) -> Page:
        """Send a form as a browser does, token and all."""
        fields = list(form.fields)
        if button is not None and button.name:
            fields.append((button.name, button.value))
        url = urllib.parse.urljoin(page.url, form.action or page.url)
        origin = "{0.scheme}://{0.netloc}".format(urllib.parse.urlsplit(page.url))
        headers = {"Referer": page.url, "Origin": origin}
        body = urllib.parse.urlencode(fields).encode()
        return self._open(urllib.request.Request(url, body, headers))  # noqa: S310

    def _open(self, request: urllib.request.Request) -> Page:
        try:
            with self._opener.open(request, timeout=30) as answer:
                return Page(answer.url, answer.status, answer.read().decode())
        except urllib.error.HTTPError as error:
            return Page(error.url or request.full_url, error.code, error.read().decode(errors="replace"))
