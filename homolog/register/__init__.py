"""What the federation holds: tables, migrations, stored files, the audit log."""
