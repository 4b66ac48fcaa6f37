"""The files of a project: safe reading, durable writing, folders, the data of the plugin."""
