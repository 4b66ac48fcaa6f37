"""Going back: rollback, archive, restore, retire, rebuild."""
