"""S0: access, query, cuts, the retriever, views and citations. Knows nothing of the register."""
