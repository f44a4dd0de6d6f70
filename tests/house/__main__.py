"""`python -m tests.house`: every breach of the house rules, one a line; fails if there is one."""

import sys

from tests.house import addresses, catalogs, circles, locks, sizes, sources


def main() -> int:
    files = sources.list_files()
    found = [
        *sizes.breaches(files),
        *addresses.breaches(files),
        *circles.breaches(circles.import_graph()),
        *locks.breaches(),
        *catalogs.breaches(),
    ]
    for breach in found:
        print(breach)
    print(f"House rules: {len(found)} broken." if found else "House rules: all kept.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
