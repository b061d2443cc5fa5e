// Where the documentation explains what the console shows.

/** Addresses below /docs/, by page. `test/docs/site.test.ts` checks that each is there. */
export const help = {
  accountLog: "operate/sign-in-and-email/#account-events",
  audit: "administer/#audit-log",
  billing: "administer/#billing",
  keys: "administer/#api-keys",
  log: "administer/#usage-log-and-alerts",
  members: "administer/#invite-people",
  people: "operate/sign-in-and-email/#disable-an-account",
  settings: "administer/#sign-in-policy",
  teams: "administer/#roles",
  usage: "administer/#usage-log-and-alerts",
} as const;

export type HelpTopic = keyof typeof help;
