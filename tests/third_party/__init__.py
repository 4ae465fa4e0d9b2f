"""The functions of an installed package, converted and called on plain values: its own tests have to pass."""
