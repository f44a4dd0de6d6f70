"""Pictures of the pages for the docs, and the pages themselves for whoever wants to look at them one by one."""
