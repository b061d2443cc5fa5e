// Finds the command that a line names, and what was meant where there is no such command or option.
import { closestName } from "../../src/contract/closest-name.ts";
import type { Command, Group } from "./command.ts";
import { UsageError } from "./failures.ts";

export const helpWords: readonly string[] = ["help", "--help", "-h"];

interface Named {
  readonly command?: Command;
  /** A group without a command, which means all of its commands. */
  readonly group?: Group | undefined;
  /** What follows the name. */
  readonly rest: readonly string[];
}

/** The command or group that a line names. @throws UsageError with the one that was probably meant */
export function findCommand(commands: readonly Command[], line: readonly string[]): Named {
  const [first, second] = line;
  if (first === undefined) return { rest: [] };
  const group = commands.find((each) => each.group?.name === first)?.group;
  const name = group ? `${first} ${second}` : first;
  for (const each of new Set([name, first])) {
    const command = commands.find((one) => one.name === each);
    if (command) return { command, rest: line.slice(each.split(" ").length) };
  }
  if (group && (second === undefined || helpWords.includes(second))) return { group, rest: [] };
  if ((group ? second : first)?.startsWith("-"))
    throw new UsageError("put the command before its options", group?.name);
  const meant = Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
  const names = commands.map((each) => each.name);
  throw unknownName("command", name, names, group?.name, meant);
}

/** What other tools call these commands. */
const otherNames: Readonly<Record<string, string>> = {
  add: "create",
  cat: "get",
  cp: "copy",
  find: "search",
  folders: "folder list",
  ls: "list",
  mkdir: "folder create",
  mv: "move",
  new: "create",
  remove: "delete",
  restore: "revert",
  rm: "delete",
  rmdir: "folder delete",
  show: "get",
  usage: "quota",
  "folder add": "folder create",
  "folder ls": "folder list",
  "folder mkdir": "folder create",
  "folder mv": "folder move",
  "folder new": "folder create",
  "folder remove": "folder delete",
  "folder rm": "folder delete",
};

/** @param meant what was meant, if it is known; by default, the closest name */
export function unknownName(
  kind: string,
  word: string,
  all: readonly string[],
  command: string | undefined,
  meant = closestName(word, all),
): UsageError {
  return new UsageError(`unknown ${kind} "${word}"${meant === undefined ? "" : `. Did you mean ${meant}?`}`, command);
}
