// What editors call the languages of content types, where they have other names for them.

export interface LanguageNames {
  /** The editor's name for the language of a content type. */
  readonly nameOf: (type: string) => string;
  /** The content type for the editor's name. */
  readonly typeOf: (name: string) => string;
}

/** Other content types for the same languages. */
const shortTypes = {
  "c++": "cpp",
  docker: "dockerfile",
  js: "javascript",
  md: "markdown",
  py: "python",
  rb: "ruby",
  ts: "typescript",
  yml: "yaml",
};

/**
 * @param names by content type
 * @param further of content types that no name is read as
 */
function languageNames(names: Readonly<Record<string, string>>, further: Readonly<Record<string, string>>) {
  const all = new Map(Object.entries({ ...shortTypes, ...further, ...names }));
  const types = new Map(Object.entries(names).map(([type, name]) => [name, type]));
  return { nameOf: (type: string) => all.get(type) ?? type, typeOf: (name: string) => types.get(name) ?? name };
}

/** https://code.visualstudio.com/docs/languages/identifiers */
export const vscodeLanguages: LanguageNames = languageNames(
  { shell: "shellscript", jsx: "javascriptreact", tsx: "typescriptreact" },
  { bash: "shellscript", sh: "shellscript", "shell-script": "shellscript", zsh: "shellscript" },
);

/** Vim's types of files. */
export const vimFiletypes: LanguageNames = languageNames(
  {
    shell: "sh",
    csharp: "cs",
    ini: "dosini",
    jsx: "javascriptreact",
    latex: "tex",
    powershell: "ps1",
    protobuf: "proto",
    tsx: "typescriptreact",
  },
  { bash: "sh", "shell-script": "sh" },
);

/** Content types of texts that are not in one language. */
export const isOfAnyLanguage = (type: string): boolean => /^(?:plaintext|code|text|text\/plain)$/.test(type);
