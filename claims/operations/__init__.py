"""What changes claims. One module for each way in, and `standings`, where all of them end.

`claiming` (claim, release), `comments`, `pull_requests`, `issues` (a new text of a tracking issue), `deciding` (mentors
and organizers), `tables` (what goes back into the issue), `importing` (an event is born).
"""
