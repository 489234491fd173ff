"""Existing engines behind the same contract: asked with a view, each gives back passages of that view or nothing."""
