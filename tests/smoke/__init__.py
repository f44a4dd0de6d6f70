"""The whole story played over HTTP, as people and GitHub would play it: `python -m tests.smoke`."""
