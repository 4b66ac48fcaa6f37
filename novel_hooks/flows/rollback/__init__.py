"""Going back (`earlier_book`: how far, and what stays): rollback, archive, restore, retire, rebuild."""
