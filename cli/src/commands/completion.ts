// `cpl completion`: scripts by which shells complete commands, options, their values, and shortcuts, made from the table of commands.
import { cachedNames, type NameKind, nameKinds } from "../cached-names.ts";
import { cachedSnippets } from "../cached-snippets.ts";
import type { Command, Option } from "../command.ts";
import { allOptions } from "../command-line.ts";
import { Failure, UsageError } from "../failures.ts";
import { print } from "../terminal/print.ts";
import { snippetArgument } from "./get.ts";

/** Shells expand what a completion offers, so a shortcut with other characters is not offered. */
const harmless = /^[\p{L}\p{N}/._:@+=,-]+$/u;
/** The same for a name, which shells put in quotation marks. One that begins with a dash would be an option. */
const harmlessName = /^[\p{L}\p{N}/._:@+=,&()](?:[\p{L}\p{N}/._:@+=,&() -]*[^ ])?$/u;

const printLines = (texts: Iterable<string>, allowed: RegExp): void =>
  print(
    [...new Set(texts)]
      .filter((each) => allowed.test(each))
      .map((each) => `${each}\n`)
      .join(""),
  );

type Print = (commands: readonly Command[]) => string;

/** @param all the table of commands, which has this one too */
export const completion = (all: () => readonly Command[]): Command => ({
  name: "completion",
  summary: "Print the completion script for your shell",
  arguments: [{ value: "SHELL", meaning: "bash, zsh, or fish", choices: [...scripts.keys()] }],
  options: {},
  isForPrograms: true,
  notes: [
    "Completes commands, options, and their values, as well as shortcuts, teams,",
    "folders, and tags that cpl has already fetched. Completion costs nothing.",
    "",
    "bash:  cpl completion bash > ~/.local/share/bash-completion/completions/cpl",
    "zsh:   cpl completion zsh > _cpl  (run in a directory on your $fpath)",
    "fish:  cpl completion fish > ~/.config/fish/completions/cpl.fish",
  ],
  run: async ({ words: [shell = ""], connect }) => {
    // What the scripts ask for: only what was fetched before, so that a key press costs nothing.
    if (shell === "shortcuts") {
      const shortcuts = cachedSnippets((await connect()).cache).map(({ shortcut }) => shortcut ?? "");
      return printLines(shortcuts, harmless);
    }
    const kind = nameKinds.find((each) => each === shell);
    if (kind) return printLines(cachedNames((await connect()).cache, kind), harmlessName);
    const script = scripts.get(shell);
    if (!script)
      throw new UsageError(`there is no completion for "${shell}", only for bash, zsh, and fish`, "completion");
    print(script(all()));
  },
});

const optionsOf = (command: Command): string[] => Object.keys(allOptions(command)).map((name) => `--${name}`);
const takesSnippet = ({ arguments: [first] }: Command): boolean => first?.value === snippetArgument.value;
const takesFile = ({ arguments: [first] }: Command): boolean => first?.value === "FILE";
const choicesOf = ({ arguments: [first] }: Command): readonly string[] => first?.choices ?? [];

/** What an option's value is. */
type Values = "files" | "nothing" | { readonly names: NameKind } | { readonly words: readonly string[] };

function valuesOf({ value = "", choices }: Option): Values {
  if (choices) return { words: choices };
  const names = nameValues.get(value);
  return names ? { names } : fileValues.has(value) ? "files" : "nothing";
}
const fileValues: ReadonlySet<string> = new Set(["FILE", "DIRECTORY", "CSV"]);
const nameValues: ReadonlyMap<string, NameKind> = new Map([
  ["TEAM", "teams"],
  ["FOLDER", "folders"],
  ["TAG", "tags"],
]);

/** The options that take a value, as a shell's `case` has them: by what the value is. */
function valueCases(commands: readonly Command[], bodyOf: (values: Values) => string): string {
  const patterns = new Map<string, string[]>();
  for (const { name, options } of commands)
    for (const [option, row] of Object.entries<Option>(options)) {
      if (row.value === undefined) continue;
      const body = bodyOf(valuesOf(row));
      patterns.set(body, [...(patterns.get(body) ?? []), `"${name} --${option}"`]);
    }
  return [...patterns].map(([body, same]) => `    ${same.join("|")}) ${body}return ;;`).join("\n");
}

const cached = (what: string): string => `cpl completion ${what} 2>/dev/null`;

const bash: Print = (commands) => `# bash completion for cpl
_cpl() {
  COMPREPLY=()
  # For bash, words also end at : = and @, which a shortcut can have.
  local words=() at=-1 index part rest="\${COMP_LINE:0:COMP_POINT}"
  for ((index = 0; index <= COMP_CWORD; index++)); do
    if [[ "$at" -lt 0 || "$rest" == [[:space:]]* ]]; then at=$((at + 1)); words[at]=""; fi
    rest="\${rest#"\${rest%%[![:space:]]*}"}"
    part="\${COMP_WORDS[index]}"
    if [[ "$index" -eq "$COMP_CWORD" ]]; then part="$rest"; fi
    words[at]+="$part"
    rest="\${rest#"$part"}"
  done
  if [[ "$at" -lt 1 ]]; then return; fi
  local word="\${words[at]}" before="\${words[at-1]}" lead="" start="" breaks="" each
  # What comes before the last of them stays as it is.
  for each in : = @; do if [[ "$COMP_WORDBREAKS" == *"$each"* ]]; then breaks+="$each"; fi; done
  if [[ -n "$breaks" && "$word" != [\\"\\']* ]]; then start="\${word%"\${word##*[$breaks]}"}"; start="\${start//\\\\/}"; fi
  if [[ "$word" == --*=* ]]; then before="\${word%%=*}"; lead="$before="; word="\${word#*=}"; fi
  if [[ "$at" -eq 1 ]]; then
    _cpl_reply ${bashLines(commands.map(({ name }) => name))}
    return
  fi
  case "\${words[1]} $before" in
${valueCases(commands, (values) => {
  if (values === "nothing") return "";
  if (values === "files") return "_cpl_files; ";
  return "names" in values ? `_cpl_names "$(${cached(values.names)})"; ` : `_cpl_reply ${bashLines(values.words)}; `;
})}
  esac
  if [[ -n "$lead" ]]; then return; fi
  case "\${words[1]}:$word" in
${commands.map((command) => `    ${command.name}:-*) _cpl_reply ${bashLines(optionsOf(command))} ;;`).join("\n")}
${commands
  .flatMap((command) => {
    const words = takesSnippet(command) ? `"$(${cached("shortcuts")})"` : bashLines(choicesOf(command));
    if (takesFile(command)) return [`    ${command.name}:*) _cpl_files ;;`];
    return takesSnippet(command) || choicesOf(command).length > 0
      ? [`    ${command.name}:*) _cpl_reply ${words} ;;`]
      : [];
  })
  .join("\n")}
  esac
}
# Offers those of the lines that begin with the word.
_cpl_reply() {
  local line bare="\${word#[\\"\\']}"
  bare="\${bare//\\\\/}"
  while IFS= read -r line; do
    if [[ -n "$line" && "$line" == "$bare"* ]]; then line="$lead$line"; COMPREPLY+=("\${line#"$start"}"); fi
  done <<< "$1"
}
# Names can have spaces, and the shell puts them in quotation marks as it does those of files.
_cpl_names() {
  compopt -o filenames 2>/dev/null || :
  _cpl_reply "$1"
}
_cpl_files() {
  local line
  compopt -o filenames 2>/dev/null || :
  while IFS= read -r line; do line="$lead$line"; COMPREPLY+=("\${line#"$start"}"); done < <(compgen -f -- "$word")
}
complete -F _cpl cpl
`;

const bashLines = (words: readonly string[]): string => `$'${words.join("\\n")}'`;

const zsh: Print = (commands) => `#compdef cpl
_cpl() {
  local -a commands=(
${commands.map(({ name, summary }) => `    ${quote(`${name}:${summary}`)}`).join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local option="$words[CURRENT-1]" has_value=0
  if [[ "$PREFIX" == --*=* ]]; then option="\${PREFIX%%=*}"; has_value=1; compset -P 1 '*='; fi
  case "$words[2] $option" in
${valueCases(commands, (values) => {
  if (values === "nothing") return "";
  if (values === "files") return "_files; ";
  return `compadd -- ${"names" in values ? zshLines(values.names) : values.words.join(" ")}; `;
})}
  esac
  (( has_value )) && return
  case "$words[2]" in
${commands
  .map((command) => {
    const otherwise = takesSnippet(command)
      ? `compadd -- ${zshLines("shortcuts")}`
      : takesFile(command)
        ? "_files"
        : `compadd -- ${choicesOf(command).join(" ")}`;
    return `    ${command.name}) if [[ "$PREFIX" == -* ]]; then compadd -- ${optionsOf(command).join(" ")}; else ${otherwise}; fi ;;`;
  })
  .join("\n")}
  esac
}
_cpl "$@"
`;

const zshLines = (what: string): string => `\${(f)"$(${cached(what)})"}`;

const fish: Print = (commands) => `# fish completion for cpl
complete -c cpl -f
${commands.map(({ name, summary }) => `complete -c cpl -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`).join("\n")}
${commands
  .flatMap((command) => {
    const prefix = `complete -c cpl -n ${quote(`__fish_seen_subcommand_from ${command.name}`)}`;
    const options = Object.entries(allOptions(command));
    return [
      ...options.map(([name, option]) => `${prefix} -l ${name}${argumentOf(option)} -d ${quote(option.meaning)}`),
      ...(takesSnippet(command) ? [`${prefix} -a '(${cached("shortcuts")})'`] : []),
      ...(takesFile(command) ? [`${prefix} -F`] : []),
      ...(choicesOf(command).length > 0 ? [`${prefix} -a ${quote(choicesOf(command).join(" "))}`] : []),
    ];
  })
  .join("\n")}
`;

/** Whether an option of fish takes a value, and which. */
function argumentOf(option: Option): string {
  if (option.value === undefined) return "";
  const values = valuesOf(option);
  if (values === "files") return " -r -F";
  if (values === "nothing") return " -x";
  return ` -x -a ${quote("names" in values ? `(${cached(values.names)})` : values.words.join(" "))}`;
}

/** For a shell. The texts are those of the table. */
function quote(text: string): string {
  if (text.includes("\\")) throw new Failure("a text of the table has a backslash");
  return `'${text.replaceAll("'", "'\\''")}'`;
}

const scripts: ReadonlyMap<string, Print> = new Map([
  ["bash", bash],
  ["zsh", zsh],
  ["fish", fish],
]);
