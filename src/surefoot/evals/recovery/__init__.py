"""The recovery exam: a small travel world, many plans, blind faults, and an oracle that looks at the world alone."""
