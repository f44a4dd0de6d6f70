"""Variables given as NAME_FILE: the value is what the file holds, without the line break that editors put at its end."""

from collections.abc import Mapping

from environ import FileAwareEnv
from environ.fileaware_mapping import FileAwareMapping


class _Files(FileAwareMapping):  # type: ignore[misc]
    def __getitem__(self, name: str) -> str:
        value: str = super().__getitem__(name)
        return value.rstrip("\r\n")


class Env(FileAwareEnv):  # type: ignore[misc]
    """The environment as settings read it."""

    ENVIRON: Mapping[str, str] = _Files()
