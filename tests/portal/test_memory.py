"""What is loaded when a process has started up is left alone by the garbage collector."""

import gc

from portal.common import memory


def test_what_is_loaded_is_not_walked_again() -> None:
    held = [object() for _ in range(10)]
    before = gc.get_freeze_count()
    try:
        memory.settle()
        assert gc.get_freeze_count() > before
        assert not any(found is held for found in gc.get_objects())
    finally:
        gc.unfreeze()
