"""Who may do what: the workflow of a type, editions, accounts and jobs, over what the register holds."""
