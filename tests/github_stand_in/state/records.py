"""The records. A pull request is an issue with a `pull` part, as on GitHub: they share their numbers."""

from dataclasses import dataclass, field


@dataclass
class User:
    id: int
    login: str
    type: str
    created_at: str
    updated_at: str
    name: str | None = None
    email: str | None = None
    deleted: bool = False


@dataclass
class Edit:
    """One version of a text; the first one is the text as it was written."""

    at: str
    editor_id: int
    body: str


@dataclass
class Reaction:
    id: int
    user_id: int
    content: str
    created_at: str


@dataclass
class Label:
    id: int
    name: str
    color: str = "ededed"
    description: str = ""


@dataclass
class Commit:
    sha: str
    author_id: int
    message: str
    at: str
    parents: list[str] = field(default_factory=list)


@dataclass
class Repository:
    id: int
    owner_id: int
    name: str
    created_at: str
    updated_at: str
    pushed_at: str
    default_branch: str = "develop"
    description: str | None = None
    private: bool = False
    last_number: int = 0
    permissions: dict[int, str] = field(default_factory=dict)
    associations: dict[int, str] = field(default_factory=dict)
    labels: list[Label] = field(default_factory=list)
    commits: list[Commit] = field(default_factory=list)
    former_names: list[str] = field(default_factory=list)
    side_commits: list[Commit] = field(
        default_factory=list
    )  # merged onto other branches than the default one


@dataclass
class Review:
    id: int
    author_id: int
    state: str
    body: str
    commit_id: str
    submitted_at: str
    updated_at: str
    association: str | None = None
    edits: list[Edit] = field(default_factory=list)  # the versions of its text, once there is more than one


@dataclass
class Pull:
    id: int
    base: str
    head_ref: str
    head_sha: str
    base_sha: str
    draft: bool = False
    merged_at: str | None = None
    merged_by_id: int | None = None
    merge_commit_sha: str | None = None
    commits: list[Commit] = field(default_factory=list)
    reviews: list[Review] = field(default_factory=list)
    requested_reviewers: list[int] = field(default_factory=list)


@dataclass
class Issue:
    id: int
    repository_id: int
    number: int
    title: str
    author_id: int
    created_at: str
    updated_at: str
    edits: list[Edit]
    state: str = "open"
    state_reason: str | None = None
    closed_at: str | None = None
    closed_by_id: int | None = None
    locked: bool = False
    labels: list[str] = field(default_factory=list)
    assignees: list[int] = field(default_factory=list)
    reactions: list[Reaction] = field(default_factory=list)
    pull: Pull | None = None

    @property
    def body(self) -> str:
        return self.edits[-1].body


@dataclass
class Comment:
    id: int
    repository_id: int
    number: int
    author_id: int
    created_at: str
    updated_at: str
    edits: list[Edit]
    reactions: list[Reaction] = field(default_factory=list)

    @property
    def body(self) -> str:
        return self.edits[-1].body
