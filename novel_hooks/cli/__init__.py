"""The `novel` command; `call.COMMANDS` lists its subcommands."""
