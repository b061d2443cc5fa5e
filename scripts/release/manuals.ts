// The manual pages of both programs, made from their tables of commands.

import { allOptions } from "../../cli/src/command-line.ts";
import { commands as cliCommands } from "../../cli/src/commands.ts";
import { spell, usageOf as usageOfCli } from "../../cli/src/help.ts";
import { commands } from "../../src/commands.ts";
import { settings } from "../../src/config/settings.ts";
import { exitStatus } from "../../src/contract/exit-status.ts";
import { optionRows, usageOf } from "../../src/operations/commands/help.ts";
import { commonOptions } from "../../src/operations/commands/options.ts";
import type { Manual } from "./man.ts";

const { failure, usage, attention, notSignedIn, canceled } = exitStatus;

/** What both programs end with. */
const statuses = [
  ["0", "Success."],
  [`${failure}`, "Failure."],
  [`${usage}`, "The command line is invalid."],
] as const;

export const serverManual: Manual = {
  name: "commonplace",
  summary: "the snippet service you host yourself",
  paragraphs: [
    "Commonplace stores the text and code that people and programs use again and again. commonplace serve starts the service, with its console, its API, and the reference of the API. The other commands are for operators: most changes take effect immediately, even while the service is running.",
    "Every command accepts the following options.",
    ...optionRows({ options: commonOptions }).map(([spelled, meaning]) => `${spelled}: ${meaning}.`),
  ],
  commands: commands.map((command) => ({
    name: command.name,
    summary: command.summary,
    usage: usageOf(command),
    rows: optionRows(command),
    // Those of serve are the settings, which have a chapter of their own.
    notes: command.name === "serve" ? [] : (command.notes ?? []),
  })),
  statuses: [
    ...statuses,
    [
      `${attention}`,
      "Done, but something needs your attention: import left something out, trash restore did not restore every snippet, or doctor found a problem.",
    ],
    [`${canceled}`, "You stopped the command with Ctrl+C."],
  ],
  environment: settings.map(({ name, meaning, default: value }) => [
    name,
    `${meaning}.${value === "" ? "" : ` The default is ${value}.`}`,
  ]),
};

export const cplManual: Manual = {
  name: "cpl",
  summary: "find, copy, and write snippets of a Commonplace service",
  paragraphs: [
    "cpl prints, copies, and edits the snippets of a Commonplace service in a terminal. Start with cpl login. Each request costs units and counts toward the rate limit of the API key.",
  ],
  commands: cliCommands.map((command) => ({
    name: command.name,
    summary: command.summary,
    // The first part is the name.
    usage: usageOfCli(command).slice(1),
    rows: [
      ...command.arguments.map(({ value, meaning }) => [value, meaning] as const),
      ...Object.entries(allOptions(command)).map(([name, option]) => [spell(name, option), option.meaning] as const),
    ],
    notes: command.notes ?? [],
  })),
  statuses: [
    ...statuses,
    [`${attention}`, "Done, but something needs your attention: an import left something out, or sync kept a file."],
    [`${notSignedIn}`, "There is no API key, or the service refuses it."],
    [`${canceled}`, "You stopped the command, or answered no."],
  ],
  environment: [
    ["CPL_URL", "Address of the service, instead of the one from cpl login."],
    ["CPL_KEY", "API key, instead of the one from cpl login."],
    ["CPL_CA", "File with the certificate authority to trust, in PEM format."],
    ["XDG_CONFIG_HOME, XDG_CACHE_HOME", "Directories of the settings and of what cpl has fetched."],
  ],
};
