"""The middleware under LangChain's own create_agent."""
