"""OpenDocument texts, sheets and presentations."""
