"""What the suite needs around it: programs installed, PostgreSQL and Redis started on free ports, stopped again."""
