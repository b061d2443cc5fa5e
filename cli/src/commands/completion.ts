// `cpl completion`: scripts by which shells complete commands, options, their values, and shortcuts, made from the table of commands.
import { cachedNames, nameKinds } from "../cached-names.ts";
import { cachedSnippets } from "../cached-snippets.ts";
import type { Command } from "../command.ts";
import { bash } from "../completion/bash.ts";
import { fish } from "../completion/fish.ts";
import type { Print } from "../completion/offers.ts";
import { zsh } from "../completion/zsh.ts";
import { UsageError } from "../failures.ts";
import { print } from "../terminal/print.ts";

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

const scripts: ReadonlyMap<string, Print> = new Map([
  ["bash", bash],
  ["zsh", zsh],
  ["fish", fish],
]);
