// Which months are billed: those from the operator's first month on, and none where the operator names none.

/** The first month that is billed, such as 2026-12; undefined where billing is off. */
export type BilledFrom = string | undefined;

export const isBilled = (month: string, billedFrom: BilledFrom): boolean =>
  billedFrom !== undefined && month >= billedFrom;
