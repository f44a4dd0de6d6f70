"""The invented people of the demo."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Invented:
    """Somebody who exists only here. `permission` is what GitHub's repository grants them."""

    id: int
    login: str
    name: str
    permission: str = "none"


PORTAL = Invented(90_000_001, "regatta-bot", "Regatta", "write")
ORGANIZER = Invented(90_000_011, "olga-organizes", "Olga", "write")
MENTOR = Invented(90_000_012, "mateo-mentors", "Mateo", "write")
CONTRIBUTOR = Invented(90_000_013, "chen-contributes", "Chen")
OTHERS = (
    Invented(90_000_014, "ines-codes", "Inês"),
    Invented(90_000_015, "tariq-tests", "Tariq"),
    Invented(90_000_016, "sora-ships", "空"),
    Invented(90_000_017, "bao-builds", "宝"),
)
EVERYBODY = (PORTAL, ORGANIZER, MENTOR, CONTRIBUTOR, *OTHERS)
