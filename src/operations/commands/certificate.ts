// The commands about the certificate for localhost: let this user's browsers trust it, and undo that.
import { resolve } from "node:path";
import { distrustLocalCertificate, trustLocalCertificate } from "../local-trust.ts";
import type { Command, CommandContext } from "./command.ts";
import { printResult } from "./output.ts";

/** What was done, for people, and how to undo it. */
export const trustLines = ({ config }: CommandContext, stores: readonly string[]): string[] => [
  "Your browsers trust the certificate for localhost now; restart open ones. Changed:",
  ...stores.map((store) => `  ${store}`),
  "To undo this:",
  `  ./commonplace certificate trust --undo --data ${resolve(config.dataDirectory)}`,
];

const undoneLines = (stores: readonly string[]): string[] =>
  stores.length === 0
    ? ["The certificate was not trusted. Nothing has changed."]
    : ["Your browsers no longer trust the certificate. Changed:", ...stores.map((store) => `  ${store}`)];

export const certificateTrust: Command = {
  name: "certificate trust",
  summary: "Let your browsers trust the certificate for localhost",
  options: { undo: { meaning: "Let them warn about it again" } },
  notes: [
    "On Linux, this concerns Chromium, the browsers based on it, and Firefox, and",
    "needs certutil. On macOS, it concerns all programs that use the keychain.",
    "The authority is made for this one certificate, and its key is deleted at once,",
    "so nothing else can ever be trusted because of it.",
  ],
  run: async (context) => {
    const undoes = context.options.isSet("undo");
    const changed = undoes ? distrustLocalCertificate(context) : trustLocalCertificate(context);
    printResult(context, { changed }, undoes ? undoneLines(changed) : trustLines(context, changed));
  },
};
