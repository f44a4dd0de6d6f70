"""What could not be taken over from a configuration, in sentences."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tasks_board.configurations.model import Problem

MOST_PROBLEMS = 8


def configuration_sentences(problems: Sequence[Problem]) -> list[str]:
    """The first few of them, each said once, and how many more there are."""
    unlike = list(dict.fromkeys(problems))
    said = [configuration_sentence(problem) for problem in unlike[:MOST_PROBLEMS]]
    more = len(unlike) - len(said)
    if more:
        said.append(ngettext("and %(count)d more", "and %(count)d more", more) % {"count": more})
    return said


def configuration_sentence(problem: Problem) -> str:
    """What it is, with what was written, and what happens instead."""
    sentences = {
        "pattern_too_long": _("The pattern of titles is too long to be read; give the prefix by hand."),
        "pattern_has_gap": _(
            "The pattern of titles lets anything stand between its words; the prefix is what they have in common: %(about)s"
        ),
        "pattern_not_understood": _(
            "The pattern of titles could not be read whole; look at the prefix: %(about)s"
        ),
        "table_never_begun": _("The end of table %(about)s is marked, and its beginning is not."),
        "table_never_ended": _("The beginning of table %(about)s is marked, and its end is not."),
        "repository_not_read": _("This is no repository, and is not watched: %(about)s"),
        "time_not_read": _("This time was not understood, and pull requests count from any time: %(about)s"),
        "entry_is_no_object": _("An entry is an object with fields; this one is none: %(about)s"),
        "issue_address_not_read": _("This is no address of an issue: %(about)s"),
        "name_missing": _("The entry has no name."),
        "field_unknown": _("A field that nobody knows is left out: %(about)s"),
        "list_expected": _("A list was expected, and the field is left out: %(about)s"),
        "direction_without_numbers": _("A direction without numbers is left out: %(about)s"),
        "numbers_without_direction": _("Numbers without a direction are left out: %(about)s"),
        "number_not_read": _("This is no number of a task, and is left out: %(about)s"),
        "count_not_read": _("This is no count, and is left out: %(about)s"),
    }
    return sentences[problem.code] % {"about": problem.about}
