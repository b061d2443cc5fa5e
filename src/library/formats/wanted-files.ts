// Which files of a folder or an archive nobody means to import. The pages use this too, before they send a folder.

/** Files and folders that operating systems and editors add. */
export const isSystemFile = (path: string): boolean =>
  /(?:^|[\\/])(?:__MACOSX|\.git|node_modules)[\\/]|(?:^|[\\/])(?:\.DS_Store|Thumbs\.db|desktop\.ini)$/i.test(path);

/** Hidden by a dot at the start of a name, except for the folders where VS Code and massCode keep snippets. */
export const isHidden = (path: string): boolean => /(?:^|\/)\.(?!(?:vscode|masscode)\/)/i.test(path);
