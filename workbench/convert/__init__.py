"""Text, Markdown, HTML and PDF as paragraphs that know their place in the source (contract 2.11)."""
