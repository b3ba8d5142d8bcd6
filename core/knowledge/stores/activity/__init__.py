"""What people and jobs did: runs and their events, conversations, ingestion jobs, the audit log."""
