"""Memory of long-lived processes."""

import gc


def settle() -> None:
    """What is loaded by now stays for good: the garbage collector need not walk it again with every full collection.

    For processes that have started up, before they fork or serve: reading a long table makes many objects at once, and
    each full collection on its way would look at all of Django too.
    """
    gc.collect()
    gc.freeze()
