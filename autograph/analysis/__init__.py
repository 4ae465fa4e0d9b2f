"""Facts about a tree: scopes, liveness, jumps, static tests.  Nothing here changes a tree."""
