"""S0: which passages an actor finds, what exactly they say, and whether a citation of them still holds."""
