// The form of an ID.
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for a UUID of any version, in either case. */
export const isUuid = (value: string): boolean => uuidPattern.test(value);
