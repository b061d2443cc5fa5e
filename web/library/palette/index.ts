// The palette: ⌘K from every page of the console, for snippets, folders, tags, pages and acts.
export {};
