// The languages that texts are written in. A text's language is kept in its content type; scripts are loaded when a text needs them.
import type { Language, StreamParser } from "@codemirror/language";
import { markdownAliases, plainAliases } from "./prose.ts";

export interface LanguageRow {
  /** The content type of texts in it. */
  readonly id: string;
  readonly name: string;
  /** Content types, and names in Markdown, that mean the same. */
  readonly aliases: readonly string[];
  /** Undefined for a language without highlighting. */
  readonly load?: () => Promise<Language>;
}

const mode = async (script: Promise<StreamParser<unknown>>): Promise<Language> => {
  const [{ StreamLanguage }, parser] = await Promise.all([import("@codemirror/language"), script]);
  return StreamLanguage.define(parser);
};
const cLike = (name: "c" | "csharp" | "dart" | "java" | "kotlin" | "scala") =>
  mode(import("@codemirror/legacy-modes/mode/clike").then((modes) => modes[name]));
const cPlusPlus = () => mode(import("@codemirror/legacy-modes/mode/clike").then(({ cpp }) => cpp));
const javascript = () => import("@codemirror/lang-javascript");

/** Prose first, then code by name. */
export const languages: readonly LanguageRow[] = [
  { id: "plaintext", name: "Plain text", aliases: plainAliases },
  {
    id: "markdown",
    name: "Markdown",
    aliases: markdownAliases,
    load: () => import("./markdown-language.ts").then(({ markdownLanguage }) => markdownLanguage),
  },
  { id: "c", name: "C", aliases: ["h", "text/x-csrc"], load: () => cLike("c") },
  { id: "csharp", name: "C#", aliases: ["cs", "c#"], load: () => cLike("csharp") },
  { id: "cpp", name: "C++", aliases: ["c++", "cc", "hpp"], load: cPlusPlus },
  {
    id: "clojure",
    name: "Clojure",
    aliases: ["clj"],
    load: () => mode(import("@codemirror/legacy-modes/mode/clojure").then(({ clojure }) => clojure)),
  },
  {
    id: "css",
    name: "CSS",
    aliases: ["text/css"],
    load: () => import("@codemirror/lang-css").then(({ cssLanguage }) => cssLanguage),
  },
  { id: "dart", name: "Dart", aliases: [], load: () => cLike("dart") },
  {
    id: "diff",
    name: "Diff",
    aliases: ["patch", "text/x-diff", "text/x-patch"],
    load: () => mode(import("@codemirror/legacy-modes/mode/diff").then(({ diff }) => diff)),
  },
  {
    id: "dockerfile",
    name: "Dockerfile",
    aliases: ["docker"],
    load: () => mode(import("@codemirror/legacy-modes/mode/dockerfile").then(({ dockerFile }) => dockerFile)),
  },
  {
    id: "erlang",
    name: "Erlang",
    aliases: ["erl"],
    load: () => mode(import("@codemirror/legacy-modes/mode/erlang").then(({ erlang }) => erlang)),
  },
  {
    id: "go",
    name: "Go",
    aliases: ["golang", "text/x-go"],
    load: () => mode(import("@codemirror/legacy-modes/mode/go").then(({ go }) => go)),
  },
  {
    id: "groovy",
    name: "Groovy",
    aliases: ["gradle"],
    load: () => mode(import("@codemirror/legacy-modes/mode/groovy").then(({ groovy }) => groovy)),
  },
  {
    id: "haskell",
    name: "Haskell",
    aliases: ["hs"],
    load: () => mode(import("@codemirror/legacy-modes/mode/haskell").then(({ haskell }) => haskell)),
  },
  {
    id: "html",
    name: "HTML",
    aliases: ["text/html", "htm"],
    load: () => import("@codemirror/lang-html").then(({ htmlLanguage }) => htmlLanguage),
  },
  {
    id: "ini",
    name: "INI",
    aliases: ["properties", "conf", "cfg", "env", "dotenv"],
    load: () => mode(import("@codemirror/legacy-modes/mode/properties").then(({ properties }) => properties)),
  },
  { id: "java", name: "Java", aliases: ["text/x-java"], load: () => cLike("java") },
  {
    id: "javascript",
    name: "JavaScript",
    aliases: ["js", "jsx", "mjs", "cjs", "node", "text/javascript", "application/javascript"],
    load: () => javascript().then(({ jsxLanguage }) => jsxLanguage),
  },
  {
    id: "json",
    name: "JSON",
    aliases: ["application/json", "jsonc", "json5"],
    load: () => import("@codemirror/lang-json").then(({ jsonLanguage }) => jsonLanguage),
  },
  {
    id: "julia",
    name: "Julia",
    aliases: ["jl"],
    load: () => mode(import("@codemirror/legacy-modes/mode/julia").then(({ julia }) => julia)),
  },
  { id: "kotlin", name: "Kotlin", aliases: ["kt", "kts"], load: () => cLike("kotlin") },
  {
    id: "latex",
    name: "LaTeX",
    aliases: ["tex"],
    load: () => mode(import("@codemirror/legacy-modes/mode/stex").then(({ stex }) => stex)),
  },
  {
    id: "lua",
    name: "Lua",
    aliases: [],
    load: () => mode(import("@codemirror/legacy-modes/mode/lua").then(({ lua }) => lua)),
  },
  {
    id: "nginx",
    name: "nginx",
    aliases: [],
    load: () => mode(import("@codemirror/legacy-modes/mode/nginx").then(({ nginx }) => nginx)),
  },
  {
    id: "perl",
    name: "Perl",
    aliases: ["pl"],
    load: () => mode(import("@codemirror/legacy-modes/mode/perl").then(({ perl }) => perl)),
  },
  {
    id: "php",
    name: "PHP",
    aliases: ["application/x-php"],
    load: () => import("@codemirror/lang-php").then(({ phpLanguage }) => phpLanguage.configure({ top: "Program" })),
  },
  {
    id: "powershell",
    name: "PowerShell",
    aliases: ["ps1", "pwsh"],
    load: () => mode(import("@codemirror/legacy-modes/mode/powershell").then(({ powerShell }) => powerShell)),
  },
  {
    id: "protobuf",
    name: "Protocol Buffers",
    aliases: ["proto"],
    load: () => mode(import("@codemirror/legacy-modes/mode/protobuf").then(({ protobuf }) => protobuf)),
  },
  {
    id: "python",
    name: "Python",
    aliases: ["py", "python3", "text/x-python"],
    load: () => import("@codemirror/lang-python").then(({ pythonLanguage }) => pythonLanguage),
  },
  {
    id: "r",
    name: "R",
    aliases: [],
    load: () => mode(import("@codemirror/legacy-modes/mode/r").then(({ r }) => r)),
  },
  {
    id: "ruby",
    name: "Ruby",
    aliases: ["rb"],
    load: () => mode(import("@codemirror/legacy-modes/mode/ruby").then(({ ruby }) => ruby)),
  },
  {
    id: "rust",
    name: "Rust",
    aliases: ["rs"],
    load: () => mode(import("@codemirror/legacy-modes/mode/rust").then(({ rust }) => rust)),
  },
  { id: "scala", name: "Scala", aliases: [], load: () => cLike("scala") },
  {
    id: "scss",
    name: "SCSS",
    aliases: ["sass"],
    load: () => mode(import("@codemirror/legacy-modes/mode/css").then(({ sCSS }) => sCSS)),
  },
  {
    id: "shell",
    name: "Shell",
    aliases: ["sh", "bash", "zsh", "console", "text/x-sh", "application/x-sh"],
    load: () => mode(import("@codemirror/legacy-modes/mode/shell").then(({ shell }) => shell)),
  },
  {
    id: "sql",
    name: "SQL",
    aliases: ["postgresql", "mysql", "sqlite", "application/sql"],
    load: () => import("@codemirror/lang-sql").then(({ PostgreSQL }) => PostgreSQL.language),
  },
  {
    id: "swift",
    name: "Swift",
    aliases: [],
    load: () => mode(import("@codemirror/legacy-modes/mode/swift").then(({ swift }) => swift)),
  },
  {
    id: "toml",
    name: "TOML",
    aliases: ["application/toml"],
    load: () => mode(import("@codemirror/legacy-modes/mode/toml").then(({ toml }) => toml)),
  },
  {
    id: "tsx",
    name: "TSX",
    aliases: [],
    load: () => javascript().then(({ tsxLanguage }) => tsxLanguage),
  },
  {
    id: "typescript",
    name: "TypeScript",
    aliases: ["ts", "mts", "cts", "text/typescript", "application/typescript"],
    load: () => javascript().then(({ typescriptLanguage }) => typescriptLanguage),
  },
  {
    id: "xml",
    name: "XML",
    aliases: ["application/xml", "text/xml", "svg", "image/svg+xml"],
    load: () => import("@codemirror/lang-xml").then(({ xmlLanguage }) => xmlLanguage),
  },
  {
    id: "yaml",
    name: "YAML",
    aliases: ["yml", "application/yaml", "text/yaml"],
    load: () => import("@codemirror/lang-yaml").then(({ yamlLanguage }) => yamlLanguage),
  },
];

/** The content type of code whose language is guessed each time it is shown. */
export const guessedType = "code";

const byType = new Map(languages.flatMap((row) => [row.id, ...row.aliases].map((type) => [type, row] as const)));

/** The language that a content type names; undefined for `code` and for types that only a program knows. */
export const languageOfType = (contentType: string): LanguageRow | undefined => byType.get(contentType.toLowerCase());
