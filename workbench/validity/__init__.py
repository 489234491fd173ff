"""S1: instants, the register, its resolver and checks. Knows nothing of documents' texts."""
