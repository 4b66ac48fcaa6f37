"""The files of a project: safe reading, durable writing, folders, what ships with the plugin."""
