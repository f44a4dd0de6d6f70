"""Any of the three events in any phase: for tests, the demo and screenshots. `builders.build` is the way in."""
