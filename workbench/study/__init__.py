"""Proofs, questions, measures and sweeps over what the layers below do."""
