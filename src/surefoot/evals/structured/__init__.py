"""The exam of structured output: tasks of a tool and a form, played by a scripted model with the usual flaws."""
