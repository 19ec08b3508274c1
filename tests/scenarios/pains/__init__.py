"""What users of LangChain and LangGraph report: each case as the stock libraries behave, and as it must be."""
