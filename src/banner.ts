// What a start prints: where the service is, and the one next step. Secrets are printed to a terminal only.
import { resolve } from "node:path";
import { consoleLimits } from "./contract/console/limits.ts";
import { firstCall } from "./metering/keys/first-call.ts";
import type { CommandContext } from "./operations/commands/command.ts";
import { bold, dim, formatFields, hasUnicode, inColor, printResult } from "./operations/commands/output.ts";
import { removeSecretFile, type WrittenSecret, writeSecretFile } from "./operations/secret-files.ts";
import { version } from "./platform/program.ts";
import type { Service } from "./service.ts";

/** What the first start created. */
export interface FirstStart {
  readonly workspace_id: string;
  readonly team_id: string;
  /** Undefined where a setting prevents it, as is its ID. */
  readonly key?: string;
  readonly key_id?: string;
}

/** A link that the start prints: it creates the operator account, or signs in to a trial. */
export interface StartLink {
  readonly purpose: "setup" | "sign in";
  readonly url: string;
}

type Started = Pick<Service, "baseUrl" | "origin" | "certificate" | "consoleUrl">;

/**
 * @param created undefined unless this start was the first
 * @param link undefined without a console, or once somebody has an account
 */
export function announce(
  context: CommandContext,
  service: Started,
  created: FirstStart | undefined,
  link: StartLink | undefined,
): void {
  if (link === undefined) removeSecretFile(context.config.dataDirectory, "link");
  const { baseUrl, origin, certificate, consoleUrl } = service;
  // Absolute, so that the request works from any directory.
  const ca = certificate.caPath === undefined ? null : resolve(certificate.caPath);
  const announcement: Announcement = {
    address: { base_url: baseUrl, ca, ...(consoleUrl && { console_url: consoleUrl }) },
    publicUrl: `${origin}${context.config.apiPath}`,
    created,
    curl: created?.key && firstCall({ baseUrl, caPath: ca }, created.key, created.team_id),
    link,
  };
  if (process.stdout.isTTY) announceInTerminal(context, announcement);
  else announceElsewhere(context, announcement);
}

interface Announcement {
  readonly address: { readonly base_url: string; readonly ca: string | null; readonly console_url?: string };
  /** Where the API is for people elsewhere; `base_url` is where it is on this machine. */
  readonly publicUrl: string;
  readonly created: FirstStart | undefined;
  readonly curl: string | undefined;
  readonly link: StartLink | undefined;
}

/** What the announcement says about a link. */
const linkWords = {
  setup: {
    field: "first_administrator_link",
    fileField: "setup_link",
    file: "link",
    step: "create the operator account",
    otherwise: "create another link: ./commonplace setup-link",
    again: "Create another: ./commonplace setup-link",
  },
  "sign in": {
    field: "sign_in_link",
    fileField: "sign_in_link",
    file: "signIn",
    step: "sign in",
    otherwise: "restart the service to get another link.",
    again: "Restart the service to get another.",
  },
} as const;

function announceInTerminal(context: CommandContext, announcement: Announcement): void {
  const { address, created, curl, link } = announcement;
  const result = {
    ...address,
    ...created,
    ...(curl && { curl }),
    ...(link && { [linkWords[link.purpose].field]: link.url }),
  };
  const logsRequests = ["debug", "info"].includes(context.config.logLevel);
  const fields = {
    ...addressFields(announcement),
    ...(link?.purpose === "sign in" && { Data: resolve(context.config.dataDirectory) }),
    ...(created?.key && { "API key": `${bold(created.key)}  ${dim("shown only once")}` }),
  };
  printResult(context, result, [
    "",
    `  ${hasUnicode() ? `${inColor("green", "●")} ` : ""}${bold(title)}`,
    "",
    ...indented(formatFields(fields)),
    "",
    ...(link ? linkLines(link) : []),
    ...(curl ? [`  ${bold("First request")}  Paste this into another terminal:`, "", ...curlLines(curl), ""] : []),
    ...indented(keylessHint(created)),
    ...(created && link?.purpose !== "sign in" ? limitsHint(context.config).map(dim) : []),
    dim(`  ${logsRequests ? "Requests appear below. " : ""}Press Ctrl+C to stop.`),
    "",
  ]);
}

function announceElsewhere(context: CommandContext, announcement: Announcement): void {
  const { address, created, curl, link } = announcement;
  const { dataDirectory, logFormat } = context.config;
  const keyFile =
    created?.key && curl
      ? writeSecretFile(dataDirectory, "key", keyFileLines(created.key, created.team_id, curl))
      : undefined;
  const words = link && linkWords[link.purpose];
  const linkFile = link && words && writeSecretFile(dataDirectory, words.file, linkFileLines(link));
  const result = {
    ...address,
    ...(created && { workspace_id: created.workspace_id, team_id: created.team_id }),
    ...(keyFile && { api_key_file: pathOf(keyFile), api_key_failure: keyFile.failure }),
    ...(linkFile &&
      words && { [`${words.fileField}_file`]: pathOf(linkFile), [`${words.fileField}_failure`]: linkFile.failure }),
  };
  const nextSteps = [
    ...(linkFile && link ? linkFileHint(linkFile, link) : []),
    ...(keyFile ? keyFileHint(keyFile, created?.key_id) : keylessHint(created)),
  ];
  if (logFormat !== "text" && !context.isJson) printLogLine(result, nextSteps);
  else
    printResult(context, result, [
      "",
      bold(title),
      "",
      ...indented(formatFields(addressFields(announcement))),
      "",
      ...nextSteps,
    ]);
}

/** Among the lines of the log, and in its form. */
function printLogLine(result: object, nextSteps: readonly string[]): void {
  const next =
    nextSteps
      .join(" ")
      .replaceAll(/\\?\s+/g, " ")
      .trim() || undefined;
  const line = { time: new Date().toISOString(), level: "info", message: title, ...result, next };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

const title = `Commonplace ${version} is running`;

const addressFields = ({ address: { console_url }, publicUrl, created }: Announcement) => ({
  API: publicUrl,
  Reference: `${publicUrl}/reference`,
  ...(console_url && { Console: console_url }),
  ...(created && { "Team ID": created.team_id }),
});

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);

const linkNote = `The link works once and expires in ${consoleLimits.firstLinkMinutes} minutes.`;

const linkLines = ({ purpose, url }: StartLink): string[] => [
  `  ${inColor("cyan", bold("Next step"))}  Open this link to ${linkWords[purpose].step}:`,
  "",
  inColor("cyan", url),
  "",
  dim(`  ${linkNote}`),
  "",
];

const linkFileHint = ({ path, failure }: WrittenSecret, { purpose }: StartLink): string[] => {
  const { step, otherwise, again } = linkWords[purpose];
  return failure === undefined
    ? [
        `Next step: ${step}. Open the link in this file:`,
        "",
        `  ${path}`,
        "",
        `If you cannot read the file, ${otherwise}`,
        "",
      ]
    : [`The ${purpose === "setup" ? "setup" : "sign-in"} link could not be saved: ${failure}`, again, ""];
};

const keyFileHint = ({ path, failure }: WrittenSecret, keyId = ""): string[] =>
  failure === undefined
    ? ["Your first API key and a sample request are in this file:", "", `  ${path}`, ""]
    : [
        `The first API key could not be saved: ${failure}`,
        `Replace it: ./commonplace key rotate --overlap now --key ${keyId}`,
        "",
      ];

/** The default limits are those of the interface. On your own machine, you soon reach them. */
const limitsHint = ({ requestsPerMinute, monthlyRequests }: CommandContext["config"]): string[] => [
  `  Each key can send ${formatCount(requestsPerMinute)} requests per minute. To raise this, set COMMONPLACE_REQUESTS_PER_MINUTE.`,
  `  The workspace gets ${formatCount(monthlyRequests)} units per month. To raise this, open its settings in the console;`,
  "  for new workspaces, set COMMONPLACE_MONTHLY_REQUESTS.",
  "",
];

const formatCount = (count: number): string => count.toLocaleString("en-US");

/** After a first start without a key. */
const keylessHint = (created: FirstStart | undefined): string[] =>
  created && created.key === undefined
    ? [
        "Create an API key in the console, or with this command:",
        "",
        "  ./commonplace key create --name NAME --all-teams \\",
        `    --workspace ${created.workspace_id}`,
        "",
      ]
    : [];

const pathOf = ({ path, failure }: WrittenSecret): string | null => (failure === undefined ? path : null);

const linkFileLines = ({ purpose, url }: StartLink): string[] => [
  `Open this link to ${linkWords[purpose].step}. ${linkNote}`,
  "",
  url,
];

const keyFileLines = (key: string, teamId: string, curl: string): string[] => [
  "Your first API key. It has access to all teams.",
  "Store it in a safe place, then delete this file.",
  "",
  ...formatFields({ "API key": key, "Team ID": teamId }),
  "",
  "First request:",
  "",
  ...curlLines(curl),
];

/** One option a line. */
const curlLines = (curl: string): string[] => curl.replaceAll(/ (?=-[Hd] ')/g, " \\\n  ").split("\n");
