"""Cuts GitHub's GraphQL schema down to what the stand-in speaks: these types, these fields, all their arguments."""

from typing import Any

from graphql import (
    DirectiveNode,
    EnumTypeDefinitionNode,
    FieldDefinitionNode,
    InputObjectTypeDefinitionNode,
    InterfaceTypeDefinitionNode,
    NamedTypeNode,
    Node,
    ObjectTypeDefinitionNode,
    ScalarTypeDefinitionNode,
    TypeDefinitionNode,
    UnionTypeDefinitionNode,
    Visitor,
    parse,
    print_ast,
    visit,
)
from graphql.language.visitor import REMOVE

_ACTOR = "avatarUrl id login resourcePath url"
_CONNECTION = "edges nodes pageInfo totalCount"
_WRITTEN = (
    "author authorAssociation body bodyText createdAt editor fullDatabaseId id includesCreatedEdit lastEditedAt "
    "updatedAt url userContentEdits"
)
_NUMBERED = f"{_WRITTEN} assignees closed closedAt comments labels locked number repository state title"
_CONNECTED = [
    "Issue",
    "IssueComment",
    "Label",
    "PullRequest",
    "PullRequestCommit",
    "PullRequestReview",
    "User",
    "UserContentEdit",
]

TYPES = {
    "Actor": _ACTOR.replace("id ", ""),
    "Bot": f"{_ACTOR} databaseId",
    "Comment": "author authorAssociation body bodyText createdAt editor id includesCreatedEdit lastEditedAt "
    "updatedAt userContentEdits",
    "Commit": "authoredDate committedDate id message messageHeadline oid",
    "Issue": f"{_NUMBERED} stateReason",
    "IssueComment": f"{_WRITTEN} isMinimized issue",
    "IssueOrPullRequest": "",
    "Label": "color description id name",
    "Node": "id",
    "Organization": f"{_ACTOR} databaseId name",
    "PageInfo": "endCursor hasNextPage hasPreviousPage startCursor",
    "PullRequest": f"{_NUMBERED} additions baseRefName changedFiles closingIssuesReferences commits deletions "
    "headRefName headRefOid isDraft latestReviews mergeCommit merged mergedAt mergedBy reviewDecision reviews",
    "PullRequestCommit": "commit id",
    "PullRequestReview": f"{_WRITTEN} commit state submittedAt",
    "Query": "id node nodes rateLimit repository user viewer",
    "RateLimit": "cost limit nodeCount remaining resetAt used",
    "Repository": "databaseId id isPrivate issue issueOrPullRequest issues name nameWithOwner owner pullRequest "
    "pullRequests url viewerPermission",
    "RepositoryOwner": _ACTOR,
    "User": f"{_ACTOR} databaseId name",
    "UserContentEdit": "createdAt deletedAt diff editedAt editor id updatedAt",
    **{f"{name}Connection": _CONNECTION for name in _CONNECTED},
    **{f"{name}Edge": "cursor node" for name in _CONNECTED},
}
_BUILT_IN = {"Boolean", "Float", "ID", "Int", "String"}


class _WithoutProse(Visitor):
    """Descriptions go, and GitHub's own directives; `@deprecated` stays."""

    def enter(self, node: Node, *_: Any) -> Any:
        if isinstance(node, DirectiveNode) and node.name.value != "deprecated":
            return REMOVE
        if getattr(node, "description", None) is not None:
            node.description = None
        return None


def _kept_fields(node: ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode) -> list[FieldDefinitionNode]:
    wanted = set(TYPES[node.name.value].split())
    kept = [field for field in node.fields if field.name.value in wanted]
    missing = wanted - {field.name.value for field in kept}
    retiring = [field.name.value for field in kept if field.directives]
    if missing or retiring:
        raise SystemExit(f"{node.name.value}: {sorted(missing)} do not exist, {retiring} are deprecated")
    return kept


def _cut(node: TypeDefinitionNode) -> TypeDefinitionNode:
    if isinstance(node, ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode):
        node.fields = tuple(_kept_fields(node))
        node.interfaces = tuple(kind for kind in node.interfaces if kind.name.value in TYPES)
    if isinstance(node, UnionTypeDefinitionNode):
        node.types = tuple(kind for kind in node.types if kind.name.value in TYPES)
    return node


def _named(node: Node) -> set[str]:
    """The types that fields and arguments speak of."""
    found: set[str] = set()

    class Names(Visitor):
        def enter_named_type(self, named: NamedTypeNode, *_: Any) -> None:
            found.add(named.name.value)

    visit(node, Names())
    return found


def trimmed(text: str) -> str:
    """The schema with the types of the table, and the enumerations, inputs and scalars they need."""
    definitions = {
        node.name.value: visit(node, _WithoutProse())
        for node in parse(text, no_location=True).definitions
        if isinstance(node, TypeDefinitionNode)
    }
    chosen: dict[str, TypeDefinitionNode] = {}
    waiting = sorted(TYPES)
    while waiting:
        name = waiting.pop()
        if name in chosen or name in _BUILT_IN:
            continue
        node = definitions[name]
        leaf = EnumTypeDefinitionNode | InputObjectTypeDefinitionNode | ScalarTypeDefinitionNode
        if name not in TYPES and not isinstance(node, leaf):
            raise SystemExit(f"{name} is spoken of and not in the table")
        chosen[name] = _cut(node)
        waiting += sorted(_named(chosen[name]))
    return "\n\n".join(print_ast(chosen[name]) for name in sorted(chosen)) + "\n"
