"""Two people and the portal at one issue: what people save, and what the text must say in the end.

Every row has words that no other has, so that it can be found wherever people move it. Each save is an edit of the body as
GitHub has it at that moment, as a person who has just opened the form makes it.
"""

import random
from dataclasses import dataclass, field

from tests.claims.flows.scene import NUMBER, REPOSITORY, Scene

HEADER = "| 序号 | 题目 | 说明 | 认领人 |\n| - | - | - | - |"
FIRST_ROWS = 12


def first_body() -> str:
    rows = "\n".join(f"| {n} | 题{n:03} | 说明 | |" for n in range(1, FIRST_ROWS + 1))
    return f"# 任务\n\n{HEADER}\n{rows}\n\n## 尾声\n\n句子\n"


@dataclass
class Hands:
    """What people did, to be looked for at the end: by row the words of its two cells; who was typed in or out by hand."""

    chance: random.Random
    notes: dict[int, str] = field(default_factory=dict)
    titles: dict[int, str] = field(default_factory=dict)
    removed: set[int] = field(default_factory=set)
    typed: dict[int, list[str]] = field(default_factory=dict)
    sentences: list[str] = field(default_factory=list)
    rows: int = FIRST_ROWS

    def __post_init__(self) -> None:
        self.notes = dict.fromkeys(range(1, self.rows + 1), "说明")
        self.titles = {n: f"题{n:03}" for n in range(1, self.rows + 1)}

    @property
    def standing(self) -> list[int]:
        return [n for n in self.titles if n not in self.removed]

    def change(self, body: str, round_: int, typist: str) -> str:
        """One person's next save over this text."""
        kinds = ("note", "note", "title", "add", "move", "remove", "sentence", "type")
        kind = self.chance.choice(kinds)
        lines = body.split("\n")
        here = [n for n in self.standing if f"| 题{n:03}" in body]
        row = self.chance.choice(here)
        place = _place(lines, row)
        if kind == "note":
            self.notes[row] = f"记{round_}"
            lines[place] = _with_cell(lines[place], 2, self.notes[row])
        elif kind == "title":
            self.titles[row] = f"题{row:03}改{round_}"
            lines[place] = _with_cell(lines[place], 1, self.titles[row])
        elif kind == "add":
            self.rows += 1
            self.titles[self.rows], self.notes[self.rows] = f"题{self.rows:03}", "新"
            lines.insert(place + 1, f"| {self.rows} | {self.titles[self.rows]} | 新 | |")
        elif kind == "move":
            target = _place(lines, self.chance.choice(here))
            lines.insert(target, lines.pop(place))
        elif kind == "remove" and len(self.standing) > 6 and row not in self.typed:
            self.removed.add(row)
            del lines[place]
        elif kind == "type" and typist not in lines[place]:
            self.typed.setdefault(row, []).append(typist)
            cell = _cells(lines[place])[3].strip()
            lines[place] = _with_cell(lines[place], 3, f"{cell} @{typist}".strip())
        else:
            self.sentences.append(f"句子{round_}。")
            lines.insert(lines.index("句子") + 1, self.sentences[-1])
        return "\n".join(lines)


def _cells(line: str) -> list[str]:
    return line.strip().strip("|").split("|")


def _with_cell(line: str, index: int, text: str) -> str:
    cells = _cells(line)
    cells[index] = f" {text} "
    return f"|{'|'.join(cells)}|"


def _place(lines: list[str], row: int) -> int:
    [place] = [n for n, line in enumerate(lines) if f"| 题{row:03}" in line]
    return place


@dataclass
class Played:
    """The scene with the table of these rounds in it."""

    scene: Scene
    hands: Hands
    people: tuple[str, str]

    def body(self) -> str:
        return self.scene.body().replace("\r\n", "\n")

    def save(self, round_: int, who: int) -> None:
        """A person saves over what GitHub has now."""
        body = self.hands.change(self.body(), round_, "moss07")
        self.scene.driver.edit_issue(REPOSITORY, NUMBER, self.people[who], body)

    def save_between(self, round_: int, who: int) -> None:
        """A person saves after our next read and before our next write."""
        body = self.hands.change(self.body(), round_, "fern-9")
        self.scene.driver.inject_edit_between(REPOSITORY, NUMBER, self.people[who], body)

    def wrong(self) -> list[str]:
        """What is lost or not as people and the portal have it."""
        lines = [line for line in self.body().split("\n") if line.startswith("|")][2:]
        found: list[str] = []
        for row in self.hands.titles:
            mine = [line for line in lines if f"| 题{row:03}" in line]
            if row in self.hands.removed:
                found += [f"row {row} is back"] if mine else []
            elif len(mine) != 1:
                found.append(f"row {row} stands {len(mine)} times")
            else:
                found += self._wrong_cells(row, mine[0])
        missing = [s for s in self.hands.sentences if self.body().count(s) != 1]
        return found + [f"sentence {sentence}" for sentence in missing]

    def _wrong_cells(self, row: int, line: str) -> list[str]:
        number, title, note, people = (cell.strip() for cell in _cells(line))
        wanted = (str(row), self.hands.titles[row], self.hands.notes[row])
        found = (
            [f"row {row}: {(number, title, note)} is not {wanted}"] if (number, title, note) != wanted else []
        )
        named = {name.strip("@") for name in people.replace("~~", " ").split()}
        claims = self.scene.task(row).claims.filter(shown=True)
        live = {str(c.person) for c in claims if c.standing not in ("withdrawn", "declined")}
        struck = {str(c.person) for c in claims} - live
        typed = set(self.hands.typed.get(row, ()))
        if not typed <= named or named - struck != live - struck or not live <= named:
            found.append(f"row {row}: {people!r} does not name {sorted(live | typed)}")
        return found
