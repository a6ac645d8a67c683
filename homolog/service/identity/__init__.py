"""Who somebody is: accounts, sessions, tokens, passkeys, organisations with their members, roles."""
