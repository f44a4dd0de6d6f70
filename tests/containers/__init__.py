"""The container files: right by their specifications, and played by hand where no container engine is."""
