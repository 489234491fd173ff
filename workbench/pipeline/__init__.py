"""S0 under S1: one decision, carried from the view to the citation and its verification."""
