// The limits that only the console has.

export const consoleLimits = {
  /** How long a deleted workspace or team can be restored. */
  graceDays: 7,
  personNameLengthMax: 100,
  emailLengthMax: 254,
  passwordLengthMin: 12,
  passwordLengthMax: 256,
  workspaceNameLengthMax: 100,
  teamNameLengthMax: 100,
  keyNameLengthMax: 100,
  /** Networks from which a key works. */
  keyNetworksMax: 50,
  keyBudgetMax: 1_000_000_000_000,
  keyRateLimitMax: 1_000_000,
  tokenNameLengthMax: 100,
  referenceLengthMax: 200,
  /** A million dollars. */
  creditLimitCentsMax: 100_000_000,
  /** A line of the invoice recipient: name, address line or tax ID. */
  billingLineLengthMax: 100,
  addressLinesMax: 6,
  /** Refused requests of a key within 10 minutes. */
  alertRefusalsDefault: 100,
  alertRefusalsMax: 1_000_000,
  alertEmailsMax: 10,
  webhookUrlLengthMax: 2_000,
  /** How long the old secret of a webhook still signs. */
  webhookOverlapHours: 24,
  deliveriesShown: 20,
  /** What one workspace can have. Deleted keys do not count. */
  keysMax: 10_000,
  teamsOfWorkspaceMax: 10_000,
  membersMax: 10_000,
  /** Things of one kind in a team that are counted. */
  teamCountMax: 10_000,
  /** Teams of a key or an invitation. */
  teamsMax: 100,
  /** Days of usage in one response. */
  usageDaysMax: 366,
  /** Rows on a page of the request log, the audit log, keys and members. */
  pageRowsDefault: 50,
  pageRowsMax: 100,
  invitationDays: 7,
  firstLinkMinutes: 60,
  resetLinkMinutes: 60,
  /** How long a confirmed password stays valid. */
  confirmationMinutes: 15,
  sessionDays: 14,
  tokenDaysMax: 366,
  /** What one person may do in a minute, at one node. Typing into the search reads at each pause. */
  personReadsPerMinute: 3_000,
  personActsPerMinute: 300,
  /** Open pages of one person that receive changes as a stream. Further ones poll. */
  streamsOfPersonMax: 12,
  /** Of all people at one node: the rights of each are read every few seconds. */
  streamsMax: 4_000,
} as const;

/** How long the old secret of a rotated key keeps working. */
export const overlaps = ["now", "1h", "24h", "7d"] as const;
