// Where the documentation explains what the console shows.

/** Addresses below /docs/, by page. `test/docs/site.test.ts` checks that each is there. */
export const help = {
  account: "use/account/",
  accountLog: "operate/sign-in-and-email/#account-events",
  audit: "administer/audit-and-deletion/#find-out-who-changed-what",
  billing: "administer/invoices/",
  deletedWorkspace: "administer/audit-and-deletion/#delete-the-workspace",
  instance: "operate/upgrading/",
  invoice: "administer/invoices/#what-an-issued-invoice-fixes",
  invoicePreview: "administer/invoices/#preview-this-months-invoice",
  keys: "administer/keys/",
  library: "use/library/",
  log: "administer/usage-and-alerts/#find-a-request",
  members: "administer/people/#invite-people",
  overview: "administer/usage-and-alerts/#read-the-forecast",
  people: "operate/sign-in-and-email/#disable-an-account",
  settings: "administer/people/#sign-in-policy",
  teams: "administer/roles/",
  usage: "administer/usage-and-alerts/",
  workspaces: "administer/",
} as const;

export type HelpTopic = keyof typeof help;
