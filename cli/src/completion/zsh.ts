// The completion script of zsh.
import type { Command, Group } from "../command.ts";
import { firstWords } from "../help.ts";
import {
  argumentValues,
  cached,
  groupsOf,
  inGroup,
  isCommand,
  optionsOf,
  type Print,
  quote,
  type Values,
  valueCases,
} from "./offers.ts";

export const zsh: Print = (commands) => `#compdef cpl
_cpl() {
  local -a commands=(
${zshDescriptions(firstWords(commands))}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local name="$words[2]"
  case "$name" in
${groupsOf(commands)
  .map((group) => zshGroup(group, commands))
  .join("\n")}
  esac
  local option="$words[CURRENT-1]" has_value=0
  if [[ "$PREFIX" == --*=* ]]; then option="\${PREFIX%%=*}"; has_value=1; compset -P 1 '*='; fi
  case "$name $option" in
${valueCases(commands, (values) => {
  const reply = zshReply(values);
  return reply === "" ? "" : `${reply}; `;
})}
  esac
  (( has_value )) && return
  case "$name" in
${commands
  .map((command) => {
    const reply = zshReply(argumentValues(command)) || ":";
    return `    "${command.name}") if [[ "$PREFIX" == -* ]]; then compadd -- ${optionsOf(command).join(" ")}; else ${reply}; fi ;;`;
  })
  .join("\n")}
  esac
}
_cpl "$@"
`;

/** Offers what can follow the name of a group, and makes both words the name of the command. */
function zshGroup(group: Group, commands: readonly Command[]): string {
  const names = inGroup(group, commands);
  const [end, isName] = isCommand(group, commands)
    ? (["", ` && [[ " ${names.map(({ name }) => name).join(" ")} " == *" $words[3] "* ]]`] as const)
    : (["\n        return", ""] as const);
  return `    ${group.name})
      commands=(
${zshDescriptions(names)}
      )
      if (( CURRENT == 3 )); then
        _describe command commands${end}
      fi
      if (( CURRENT > 3 ))${isName}; then name+=" $words[3]"; fi ;;`;
}

const zshDescriptions = (rows: readonly Group[]): string =>
  rows.map(({ name, summary }) => `    ${quote(`${name}:${summary}`)}`).join("\n");

/** The command that offers values; empty where there are none. */
function zshReply(values: Values): string {
  if (values === "nothing") return "";
  if (values === "files") return "_files";
  if (values === "shortcuts") return `compadd -- ${zshLines(values)}`;
  return `compadd -- ${"names" in values ? zshLines(values.names) : values.words.join(" ")}`;
}

const zshLines = (what: string): string => `\${(f)"$(${cached(what)})"}`;
