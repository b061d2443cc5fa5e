// The completion script of bash, from version 3.2, which macOS has.
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
  type Values,
  valueCases,
} from "./offers.ts";

export const bash: Print = (commands) => `# bash completion for cpl
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
    _cpl_reply ${bashLines(firstWords(commands).map(({ name }) => name))}
    return
  fi
${groupsOf(commands)
  .map((group) => bashGroup(group, commands))
  .join("\n")}
  case "\${words[1]} $before" in
${valueCases(commands, (values) => {
  const reply = bashReply(values);
  return reply === "" ? "" : `${reply}; `;
})}
  esac
  if [[ -n "$lead" ]]; then return; fi
  case "\${words[1]}:$word" in
${commands.map((command) => `    "${command.name}:-"*) _cpl_reply ${bashLines(optionsOf(command))} ;;`).join("\n")}
${commands
  .map((command) => ({ name: command.name, reply: bashReply(argumentValues(command)) }))
  .filter(({ reply }) => reply !== "")
  .map(({ name, reply }) => `    "${name}:"*) ${reply} ;;`)
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

/** Offers what can follow the name of a group, and makes both words the name of the command. */
function bashGroup(group: Group, commands: readonly Command[]): string {
  const names = inGroup(group, commands).map(({ name }) => name);
  const [end, isName] = isCommand(group, commands)
    ? (["", ` && [[ " ${names.join(" ")} " == *" \${words[2]} "* ]]`] as const)
    : ([" return;", ""] as const);
  return `  if [[ "\${words[1]}" == ${group.name} ]]; then
    if [[ "$at" -eq 2 ]]; then _cpl_reply ${bashLines(names)};${end} fi
    if [[ "$at" -gt 2 ]]${isName}; then words[1]+=" \${words[2]}"; fi
  fi`;
}

/** The command that offers values; empty where there are none. */
function bashReply(values: Values): string {
  if (values === "nothing") return "";
  if (values === "files") return "_cpl_files";
  if (values === "shortcuts") return `_cpl_reply "$(${cached(values)})"`;
  return "names" in values ? `_cpl_names "$(${cached(values.names)})"` : `_cpl_reply ${bashLines(values.words)}`;
}

const bashLines = (words: readonly string[]): string => `$'${words.join("\\n")}'`;
