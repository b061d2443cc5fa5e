// The form of an ID.
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for a UUID of any version, in either case. */
export const isUuid = (value: string): boolean => uuidPattern.test(value);

/** Beyond it, the year of a moment has more than four digits. */
const lastMoment = Date.UTC(9_999, 11, 31);

/** The moment at which an ID of version 7 was made; undefined for other versions, and for moments that cannot be. */
export function momentOfId(id: string): string | undefined {
  if (id.charAt(14) !== "7") return undefined;
  const milliseconds = Number.parseInt(`${id.slice(0, 8)}${id.slice(9, 13)}`, 16);
  return milliseconds > lastMoment ? undefined : new Date(milliseconds).toISOString();
}
