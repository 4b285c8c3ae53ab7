"""The command line: thin commands over the service, and pure functions that turn values into pages."""
