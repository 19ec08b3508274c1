"""Language models: opened by name, called within limits, asked for objects; what goes in stays within a budget."""
