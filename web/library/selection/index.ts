// Several snippets at once: which are selected, and what is done with them.
export {};
