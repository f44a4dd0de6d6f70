"""The driving API under /_drive: what a test does behind the stage."""
