"""No import circle between files, in the apps and in the tests, however late the import happens."""

from collections.abc import Callable, Iterable, Mapping

import grimp

PACKAGES = ("portal", "tasks_board", "claims", "rewards", "tests")


def import_graph(packages: Iterable[str] = PACKAGES) -> dict[str, set[str]]:
    """Module -> the modules it imports, directly, anywhere in the file."""
    first, *others = packages
    graph = grimp.build_graph(first, *others, cache_dir=None)
    return {module: set(graph.find_modules_directly_imported_by(module)) for module in graph.modules}


def breaches(graph: Mapping[str, set[str]]) -> list[str]:
    return [f"import circle: {' <-> '.join(sorted(circle))}" for circle in find_circles(graph)]


def find_circles(graph: Mapping[str, set[str]]) -> list[set[str]]:
    """Groups of modules that reach each other (Kosaraju: order of finishing, then backwards)."""
    order: list[str] = []
    _walk(graph, sorted(graph), order.append)
    backwards: dict[str, set[str]] = {module: set() for module in graph}
    for module, imported in graph.items():
        for name in imported:
            backwards.setdefault(name, set()).add(module)
    circles: list[set[str]] = []
    seen: set[str] = set()
    for module in reversed(order):
        if module not in seen:
            group: list[str] = []
            _walk(backwards, [module], group.append, seen)
            if len(group) > 1 or module in graph.get(module, set()):
                circles.append(set(group))
    return circles


def _walk(
    graph: Mapping[str, set[str]],
    starts: Iterable[str],
    finished: Callable[[str], object],
    seen: set[str] | None = None,
) -> None:
    seen = set() if seen is None else seen
    for start in starts:
        if start in seen:
            continue
        seen.add(start)
        path = [(start, iter(sorted(graph.get(start, set()))))]
        while path:
            module, rest = path[-1]
            following = next((name for name in rest if name not in seen), None)
            if following is None:
                path.pop()
                finished(module)
            else:
                seen.add(following)
                path.append((following, iter(sorted(graph.get(following, set())))))
