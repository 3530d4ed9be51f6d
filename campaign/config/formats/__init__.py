"""How the site writes days and hours where a template names no format of its own."""
