// The limits of the console beside those of the interface, in one place.

export const consoleLimits = {
  personNameLengthMax: 100,
  emailLengthMax: 254,
  passwordLengthMin: 12,
  passwordLengthMax: 256,
  workspaceNameLengthMax: 100,
  teamNameLengthMax: 100,
  keyNameLengthMax: 100,
  tokenNameLengthMax: 100,
  referenceLengthMax: 200,
  /** Of whom an invoice is made out to: their name, a line of their address, their tax id. */
  billingLineLengthMax: 100,
  addressLinesMax: 6,
  /** Teams of a key, or of an invitation. */
  teamsMax: 100,
  /** Days of usage in one answer. */
  usageDaysMax: 366,
  /** Rows of a page: log, audit log, keys, members. */
  pageRowsDefault: 50,
  pageRowsMax: 100,
  invitationDays: 7,
  firstLinkMinutes: 60,
  resetLinkMinutes: 60,
  /** How long a password counts that was asked for again. */
  confirmationMinutes: 15,
  sessionDays: 14,
  tokenDaysMax: 366,
} as const;

/** How long the old secret of a rotated key works too. */
export const overlaps = ["now", "1h", "24h", "7d"] as const;
