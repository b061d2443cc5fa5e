// Completion scripts of the operator's command line for bash, zsh, and fish: commands, options, and files.
import type { Command, Option } from "../../src/operations/commands/command.ts";
import { commonOptions } from "../../src/operations/commands/options.ts";

const optionsOf = ({ options }: Command): [name: string, option: Option][] =>
  Object.entries<Option>({ ...options, ...commonOptions });

const fileValues: ReadonlySet<string> = new Set(["FILE", "DIR", "PATH", "DIRECTORY"]);

const isFile = ({ value }: Option): boolean => value !== undefined && fileValues.has(value);

/** The first words, with the summary of the command that is only this word, or with their second words. */
function firstWords(commands: readonly Command[]): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const { name, summary } of commands) {
    const [first = "", second] = name.split(" ");
    if (second === undefined) words.set(first, summary);
    else if (!words.has(first)) words.set(first, secondWords(commands, first).join(", "));
  }
  return words;
}

const secondWords = (commands: readonly Command[], first: string): string[] =>
  commands.flatMap(({ name }) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : []));

const groups = (commands: readonly Command[]): string[] =>
  [...firstWords(commands).keys()].filter((first) => secondWords(commands, first).length > 0);

/** Patterns of `case`, such as `"backup --to"|"restore --from"`, of the options that take such a value. */
const patterns = (commands: readonly Command[], accepts: (option: Option) => boolean): string =>
  commands
    .flatMap((command) =>
      optionsOf(command)
        .filter(([, option]) => accepts(option))
        .map(([name]) => `"${command.name} --${name}"`),
    )
    .join("|");

const takesText = (option: Option): boolean => option.value !== undefined && !isFile(option);

const listOf = (words: Iterable<string>): string => [...words].join(" ");

const optionList = (command: Command): string => listOf(optionsOf(command).map(([name]) => `--${name}`));

export const bashCompletion = (commands: readonly Command[]): string => `# bash completion for commonplace
_commonplace() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}" offers=""
  local command="\${COMP_WORDS[1]} \${COMP_WORDS[2]}"
  COMPREPLY=()
  case "$command" in
    ${patternsOfTwoWords(commands)}) ;;
    *) command="\${COMP_WORDS[1]}" ;;
  esac
  case "$command $before" in
    ${patterns(commands, isFile)})
      compopt -o filenames 2>/dev/null || :
      while IFS= read -r offers; do COMPREPLY+=("$offers"); done < <(compgen -f -- "$word")
      return ;;
    ${patterns(commands, takesText)}) return ;;
  esac
  if [[ "$COMP_CWORD" -eq 1 ]]; then
    offers="${listOf(firstWords(commands).keys())}"
  elif [[ "$word" == -* ]]; then
    case "$command" in
${commands.map((command) => `      "${command.name}") offers="${optionList(command)}" ;;`).join("\n")}
    esac
  elif [[ "$COMP_CWORD" -eq 2 ]]; then
    case "\${COMP_WORDS[1]}" in
${groups(commands)
  .map((first) => `      ${first}) offers="${listOf(secondWords(commands, first))}" ;;`)
  .join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$offers" -- "$word"))
}
complete -F _commonplace commonplace
`;

export const zshCompletion = (commands: readonly Command[]): string => `#compdef commonplace
local word="\${words[CURRENT]}" before="\${words[CURRENT - 1]}" command="\${words[2]} \${words[3]}"
local -a offers
case "$command" in
  ${patternsOfTwoWords(commands)}) ;;
  *) command="\${words[2]}" ;;
esac
case "$command $before" in
  ${patterns(commands, isFile)}) _files; return ;;
  ${patterns(commands, takesText)}) return ;;
esac
if (( CURRENT == 2 )); then
  offers=(${described(firstWords(commands))})
elif [[ "$word" == -* ]]; then
  case "$command" in
${commands.map((command) => `    "${command.name}") offers=(${described(optionMeanings(command))}) ;;`).join("\n")}
  esac
elif (( CURRENT == 3 )); then
  case "\${words[2]}" in
${groups(commands)
  .map((first) => `    ${first}) offers=(${described(summariesOf(commands, first))}) ;;`)
  .join("\n")}
  esac
fi
_describe commonplace offers
`;

export const fishCompletion = (commands: readonly Command[]): string =>
  `# fish completion for commonplace
function __commonplace_is
  set -l words (commandline -opc)
  test "$words[2..3]" = "$argv"; or test "$words[2]" = "$argv"
end
complete -c commonplace -f
${[...firstWords(commands)]
  .map(([word, meaning]) => `complete -c commonplace -n __fish_use_subcommand -a ${word} -d ${quoted(meaning)}`)
  .join("\n")}
${groups(commands)
  .flatMap((first) =>
    [...summariesOf(commands, first)].map(
      ([word, meaning]) =>
        `complete -c commonplace -n "__commonplace_is ${first}; and test (count (commandline -opc)) -eq 2" -a ${word} -d ${quoted(meaning)}`,
    ),
  )
  .join("\n")}
${commands
  .flatMap((command) =>
    optionsOf(command).map(([name, option]) => {
      const value = option.value === undefined ? "" : isFile(option) ? " -r -F" : " -x";
      return `complete -c commonplace -n "__commonplace_is ${command.name}" -l ${name}${value} -d ${quoted(option.meaning)}`;
    }),
  )
  .join("\n")}
`;

const patternsOfTwoWords = (commands: readonly Command[]): string =>
  commands
    .filter(({ name }) => name.includes(" "))
    .map(({ name }) => `"${name}"`)
    .join("|");

const optionMeanings = (command: Command): ReadonlyMap<string, string> =>
  new Map(optionsOf(command).map(([name, { meaning }]) => [`--${name}`, meaning]));

const summariesOf = (commands: readonly Command[], first: string): ReadonlyMap<string, string> =>
  new Map(
    commands
      .filter(({ name }) => name.startsWith(`${first} `))
      .map(({ name, summary }) => [name.slice(first.length + 1), summary]),
  );

/** Words and their meanings, as `_describe` of zsh takes them. */
const described = (meanings: ReadonlyMap<string, string>): string =>
  listOf([...meanings].map(([word, meaning]) => quoted(`${word}:${meaning.replaceAll(":", "\\:")}`)));

/** As one word of a shell: in zsh and fish, nothing but a quotation mark and a backslash ends or changes it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "’")}'`;
}
