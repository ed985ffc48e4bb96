"""The LLM judge: a model that scores outputs it cannot tell apart, and a measure of its own noise."""
