// The tools that cpl writes files for, and where each reads them.
import { homedir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../settings.ts";

export interface Target {
  readonly name: string;
  /** Where the tool reads files; undefined if that depends on the person's installation. */
  readonly directory: ((environment: Environment) => string) | undefined;
  /** The path of a file of a team in that directory. */
  readonly place: (team: string, path: string) => string;
  /** Whether notes are written. In some tools, what a note keeps for them can run commands. */
  readonly keepsNotes: boolean;
}

const inTeamFolder = (team: string, path: string): string => join(`commonplace-${team}`, path);

export const targets = {
  vscode: {
    name: "VS Code",
    directory: (environment) => join(applicationData(environment), "Code/User/snippets"),
    // It reads no folders below its own.
    place: (team, path) => `commonplace-${team}.${path}`,
    keepsNotes: true,
  },
  espanso: {
    name: "Espanso",
    directory: (environment) => join(applicationData(environment), "espanso/match"),
    place: inTeamFolder,
    // The format itself writes no setting that could run a command.
    keepsNotes: true,
  },
  markdown: { name: "Markdown", directory: undefined, place: inTeamFolder, keepsNotes: true },
  jetbrains: {
    name: "JetBrains",
    directory: undefined,
    place: (team, path) => `commonplace-${team}.${path}`,
    keepsNotes: false,
  },
  raycast: { name: "Raycast", directory: undefined, place: inTeamFolder, keepsNotes: false },
} as const satisfies Record<string, Target>;

export type TargetId = keyof typeof targets;
export const targetIds = Object.keys(targets) as TargetId[];
export const isTargetId = (id: string): id is TargetId => Object.hasOwn(targets, id);

/** Where programs keep a person's settings. */
function applicationData({ HOME, XDG_CONFIG_HOME, APPDATA }: Environment): string {
  const home = HOME || homedir();
  if (process.platform === "darwin") return join(home, "Library/Application Support");
  if (process.platform === "win32" && APPDATA) return APPDATA;
  return XDG_CONFIG_HOME || join(home, ".config");
}
