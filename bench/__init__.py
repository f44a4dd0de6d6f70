"""How fast Regatta is, in figures that can be compared: `make bench`."""
