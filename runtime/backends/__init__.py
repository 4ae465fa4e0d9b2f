"""Ways to run a graph: :mod:`.interpreter` in any valid order, :mod:`.numpy_code` as one flat NumPy
function."""
