// Where the documentation explains what the console shows.

/** Addresses below /docs/, by page. `test/docs/site.test.ts` checks that each is there. */
export const help = {
  accountLog: "operate/sign-in-and-email/#account-events",
  audit: "administer/audit-and-deletion/#find-out-who-changed-what",
  billing: "administer/invoices/",
  keys: "administer/keys/",
  log: "administer/usage-and-alerts/#find-a-request",
  members: "administer/people/#invite-people",
  people: "operate/sign-in-and-email/#disable-an-account",
  settings: "administer/people/#sign-in-policy",
  teams: "administer/roles/",
  usage: "administer/usage-and-alerts/",
} as const;

export type HelpTopic = keyof typeof help;
