"""Text that strangers wrote, made inert for spreadsheet programs, and read back unchanged. Pure."""

import re

# What Excel, LibreOffice or Google Sheets take for the beginning of a formula, full-width twins and spaces before
# it included (https://owasp.org/www-community/attacks/CSV_Injection).
_BEGINS_A_FORMULA = r"(?:\s*[=+\-@＝＋－＠]|[\t\r\n])"
_TO_NEUTRALISE = re.compile(rf"'*{_BEGINS_A_FORMULA}")
_NEUTRALISED = re.compile(rf"'+{_BEGINS_A_FORMULA}")


def neutralise(text: str) -> str:
    """The text as a cell that no spreadsheet program computes: `=1+1` becomes `'=1+1`, plain words stay."""
    return f"'{text}" if _TO_NEUTRALISE.match(text) else text


def restore(cell: str) -> str:
    """What `neutralise` was given."""
    return cell[1:] if _NEUTRALISED.match(cell) else cell
