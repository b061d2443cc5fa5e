// `cpl completion`: scripts by which shells complete commands, options, and shortcuts, made from the table of commands.
import { cachedSnippets } from "../cached-snippets.ts";
import type { Command } from "../command.ts";
import { allOptions } from "../command-line.ts";
import { Failure, UsageError } from "../failures.ts";
import { print } from "../terminal/print.ts";
import { snippetArgument } from "./get.ts";

/** Shells expand what a completion offers, so a shortcut with other characters is not offered. */
const harmless = /^[\p{L}\p{N}/._:@+=,-]+$/u;

type Print = (commands: readonly Command[]) => string;

/** @param all the table of commands, which has this one too */
export const completion = (all: () => readonly Command[]): Command => ({
  name: "completion",
  summary: "Print the completion script for your shell",
  arguments: [{ value: "SHELL", meaning: "bash, zsh, or fish", choices: [...scripts.keys()] }],
  options: {},
  isForPrograms: true,
  notes: [
    "bash:  cpl completion bash > ~/.local/share/bash-completion/completions/cpl",
    "zsh:   save the output of cpl completion zsh as _cpl in a directory on your $fpath",
    "fish:  cpl completion fish > ~/.config/fish/completions/cpl.fish",
  ],
  run: async ({ words: [shell = ""], connect }) => {
    // What the scripts ask for: only what was fetched before, so that a key press costs nothing.
    if (shell === "shortcuts") {
      const shortcuts = cachedSnippets((await connect()).cache).map(({ shortcut }) => shortcut ?? "");
      return print(
        [...new Set(shortcuts)]
          .filter((each) => harmless.test(each))
          .map((each) => `${each}\n`)
          .join(""),
      );
    }
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

/** Options whose value is a file or a directory, as shells write alternatives. */
const fileOptions = (commands: readonly Command[]): string => {
  const isFile = ({ value = "" }: { value?: string }) => fileValues.has(value);
  const names = commands.flatMap(({ options }) => Object.entries(options).filter(([, option]) => isFile(option)));
  return [...new Set(names.map(([name]) => `--${name}`))].join("|");
};
const fileValues: ReadonlySet<string> = new Set(["FILE", "DIRECTORY", "CSV"]);

const bash: Print = (commands) => `# bash completion for cpl
_cpl() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")}" -- "$word"))
    return
  fi
  case "$before" in
    ${fileOptions(commands)}) _cpl_files "$word"; return ;;
  esac
  case "\${COMP_WORDS[1]}:$word" in
${commands.map((command) => `    ${command.name}:-*) COMPREPLY=($(compgen -W "${optionsOf(command).join(" ")}" -- "$word")) ;;`).join("\n")}
${commands
  .flatMap((command) => {
    const words = takesSnippet(command) ? "$(cpl completion shortcuts 2>/dev/null)" : choicesOf(command).join(" ");
    if (takesFile(command)) return [`    ${command.name}:*) _cpl_files "$word" ;;`];
    return words === "" ? [] : [`    ${command.name}:*) COMPREPLY=($(compgen -W "${words}" -- "$word")) ;;`];
  })
  .join("\n")}
  esac
}
# Names can have spaces.
_cpl_files() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null || :
  COMPREPLY=($(compgen -f -- "$1"))
}
complete -F _cpl cpl
`;

const zsh: Print = (commands) => `#compdef cpl
_cpl() {
  local -a commands=(
${commands.map(({ name, summary }) => `    ${quote(`${name}:${summary}`)}`).join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case "$words[CURRENT-1]" in
    (${fileOptions(commands)}) _files; return ;;
  esac
  case "$words[2]" in
${commands
  .map((command) => {
    const otherwise = takesSnippet(command)
      ? `compadd -- \${(f)"$(cpl completion shortcuts 2>/dev/null)"}`
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

const fish: Print = (commands) => `# fish completion for cpl
complete -c cpl -f
${commands.map(({ name, summary }) => `complete -c cpl -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`).join("\n")}
${commands
  .flatMap((command) => {
    const prefix = `complete -c cpl -n ${quote(`__fish_seen_subcommand_from ${command.name}`)}`;
    const options = Object.entries(allOptions(command));
    return [
      ...options.map(([name, { value, meaning }]) => `${prefix} -l ${name}${argumentOf(value)} -d ${quote(meaning)}`),
      ...(takesSnippet(command) ? [`${prefix} -a '(cpl completion shortcuts 2>/dev/null)'`] : []),
      ...(takesFile(command) ? [`${prefix} -F`] : []),
      ...(choicesOf(command).length > 0 ? [`${prefix} -a ${quote(choicesOf(command).join(" "))}`] : []),
    ];
  })
  .join("\n")}
`;

/** Whether an option of fish takes a value, and a file. */
const argumentOf = (value: string | undefined): string =>
  value === undefined ? "" : fileValues.has(value) ? " -r -F" : " -x";

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
