// The completion script of fish.
import type { Group, Option } from "../command.ts";
import { allOptions } from "../command-line.ts";
import { firstWords } from "../help.ts";
import { argumentValues, cached, groupsOf, inGroup, type Print, quote, type Values, valuesOf } from "./offers.ts";

export const fish: Print = (commands) => `# fish completion for cpl
# Whether the line begins with this command.
function __cpl_is
  set -l words (commandline -opc)
  set -l last (math (count $argv) + 1)
  test (count $words) -ge $last; and test "$words[2..$last]" = "$argv"
end
complete -c cpl -f
${fishRows("test (count (commandline -opc)) -eq 1", firstWords(commands))}
${groupsOf(commands)
  .map((group) =>
    fishRows(`__cpl_is ${group.name}; and test (count (commandline -opc)) -eq 2`, inGroup(group, commands)),
  )
  .join("\n")}
${commands
  .flatMap((command) => {
    const others = inGroup(command, commands).map(({ name }) => `; and not __cpl_is ${command.name} ${name}`);
    const prefix = `complete -c cpl -n ${quote(`__cpl_is ${command.name}${others.join("")}`)}`;
    const options = Object.entries(allOptions(command));
    return [
      ...options.map(([name, option]) => `${prefix} -l ${name}${argumentOf(option)} -d ${quote(option.meaning)}`),
      ...fishValues(argumentValues(command)).map((values) => `${prefix} ${values}`),
    ];
  })
  .join("\n")}
`;

const fishRows = (condition: string, rows: readonly Group[]): string =>
  rows.map(({ name, summary }) => `complete -c cpl -n ${quote(condition)} -a ${name} -d ${quote(summary)}`).join("\n");

/** What offers values, if there are any. */
function fishValues(values: Values): string[] {
  if (values === "nothing") return [];
  if (values === "files") return ["-F"];
  if (values === "shortcuts") return [`-a '(${cached(values)})'`];
  return [`-a ${quote("names" in values ? `(${cached(values.names)})` : values.words.join(" "))}`];
}

/** Whether an option of fish takes a value, and which. */
function argumentOf(option: Option): string {
  if (option.value === undefined) return "";
  const [values] = fishValues(valuesOf(option));
  return values === undefined ? " -x" : values === "-F" ? " -r -F" : ` -x ${values}`;
}
