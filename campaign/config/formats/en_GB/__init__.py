"""For British English, the site's language."""
