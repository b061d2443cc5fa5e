// What comes with each program besides the program: its license and those of others, manual pages, and completion scripts.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { commands as cliCommands } from "../../cli/src/commands.ts";
import { bash } from "../../cli/src/completion/bash.ts";
import { fish } from "../../cli/src/completion/fish.ts";
import { zsh } from "../../cli/src/completion/zsh.ts";
import { commands } from "../../src/commands.ts";
import { bashCompletion, fishCompletion, zshCompletion } from "./completions.ts";
import { type Manual, manPage } from "./man.ts";
import { cplManual, serverManual } from "./manuals.ts";
import { root } from "./run.ts";
import type { Source } from "./source.ts";

export const readText = (path: string): string => readFileSync(join(root, path), "utf8");

export interface Documents {
  readonly manual: string;
  readonly completions: { readonly bash: string; readonly zsh: string; readonly fish: string };
}

export interface AllDocuments {
  readonly server: Documents;
  readonly cpl: Documents;
}

export function makeDocuments({ version, date }: Source): AllDocuments {
  const manual = (of: Manual) => manPage(of, version, date);
  return {
    server: {
      // The package puts the program where shells find it.
      manual: manual(serverManual).replaceAll("./commonplace", "commonplace"),
      completions: {
        bash: bashCompletion(commands),
        zsh: zshCompletion(commands),
        fish: fishCompletion(commands),
      },
    },
    cpl: {
      manual: manual(cplManual),
      completions: { bash: bash(cliCommands), zsh: zsh(cliCommands), fish: fish(cliCommands) },
    },
  };
}

export const licenseFiles = ["LICENSE", "THIRD-PARTY.md"] as const;
