"""The forms of a page as a browser has them: what stands in each field, and which one is complained about."""

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class Field:
    """One field: what kind it is, what stands in it, which values could be chosen."""

    name: str
    kind: str
    value: str = ""
    options: list[str] = field(default_factory=list)
    is_on: bool = False
    is_invalid: bool = False
    has_focus: bool = False
    described_by: tuple[str, ...] = ()

    @property
    def is_typed(self) -> bool:
        """Whether its reader fills it in."""
        return self.kind not in ("hidden", "file", "submit")


@dataclass
class Form:
    """A form with its fields, in their order."""

    action: str
    method: str
    fields: list[Field] = field(default_factory=list)

    def sent(self) -> dict[str, list[str]]:
        """What a browser sends for it, without a button."""
        found: dict[str, list[str]] = {}
        for each in self.fields:
            if each.kind in ("file", "submit") or (each.kind in ("checkbox", "radio") and not each.is_on):
                continue
            found.setdefault(each.name, []).append(each.value)
        return found

    def pressed(self) -> dict[str, list[str]]:
        """What a browser sends by the form's first button."""
        first = next((each for each in self.fields if each.kind == "submit"), None)
        return {**({first.name: [first.value]} if first and first.name else {}), **self.sent()}

    def named(self, name: str) -> Field:
        """The field with this name that a reader fills in."""
        return next(each for each in self.fields if each.name == name and each.is_typed)


def _kind(tag: str, given: dict[str, str]) -> str:
    if tag == "button":
        return "submit"
    if "hidden" in given:
        return "hidden"
    return given.get("type", "text") if tag == "input" else tag


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.forms: list[Form] = []
        self.texts: dict[str, str] = {}
        self._by_id: dict[str, Form] = {}
        self._form: Form | None = None
        self._area: Field | None = None
        self._select: Field | None = None
        self._inside: list[tuple[str, str]] = []
        self._loose: list[tuple[str, Field]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {key: value or "" for key, value in attrs}
        if tag == "p" and "id" in given:
            self._inside.append((tag, given["id"]))
            self.texts[given["id"]] = ""
        if tag == "form":
            self._form = Form(given.get("action", ""), given.get("method", "get"))
            self.forms.append(self._form)
            self._by_id[given.get("id", "")] = self._form
        elif tag == "button" or (tag in ("input", "textarea", "select") and "name" in given):
            self._field(tag, given)
        elif tag == "option" and self._select is not None:
            self._select.options.append(given.get("value", ""))
            if "selected" in given or len(self._select.options) == 1:
                self._select.value = given.get("value", "")

    def _field(self, tag: str, given: dict[str, str]) -> None:
        made = Field(
            given.get("name", ""),
            _kind(tag, given),
            given.get("value", "on" if given.get("type") == "checkbox" else ""),
            is_on="checked" in given,
            is_invalid=given.get("aria-invalid") == "true",
            has_focus="autofocus" in given,
            described_by=tuple(given.get("aria-describedby", "").split()),
        )
        if tag == "textarea":
            self._area = made
        elif tag == "select":
            self._select = made
        if "form" in given:
            self._loose.append((given["form"], made))
        elif self._form is not None and "disabled" not in given:
            self._form.fields.append(made)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "textarea" and self._area is not None:
            self._area.value, self._area = self._area.value.removeprefix("\n"), None
        elif tag == "select":
            self._select = None
        elif self._inside and self._inside[-1][0] == tag:
            self._inside.pop()

    def handle_data(self, data: str) -> None:
        if self._area is not None:
            self._area.value += data
        elif self._inside:
            self.texts[self._inside[-1][1]] += data

    def finish(self) -> None:
        for name, made in self._loose:
            self._by_id[name].fields.append(made)


@dataclass(frozen=True)
class Read:
    """A page: its forms, and the texts that describe fields, by their ids."""

    forms: list[Form]
    texts: dict[str, str]

    def form(self, action: str) -> Form:
        """The first form with this address."""
        return next(form for form in self.forms if form.action == action)

    def complaint(self, form: Form) -> tuple[str, str]:
        """The name of the field that is complained about and has the cursor, and what is said of it."""
        [wrong] = [each for each in form.fields if each.is_invalid]
        assert wrong.has_focus
        return wrong.name, " ".join(
            self.texts[name].strip() for name in wrong.described_by if name in self.texts
        )


def read(html: str) -> Read:
    """The forms of a page."""
    page = _Page()
    page.feed(html)
    page.finish()
    return Read(page.forms, page.texts)
