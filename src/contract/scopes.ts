// The scopes: what an operation needs, and which of it a key is allowed. The row of each operation names its scope.

export type Scope = "read" | "write";

/** The scopes of a key, by the name that people choose. */
export const keyScopes = { read: ["read"], read_write: ["read", "write"] } as const satisfies Record<
  string,
  readonly Scope[]
>;
export type KeyScope = keyof typeof keyScopes;

/** In the order in which people choose. */
// Object.keys is typed as string[]; the keys of this constant are exactly its names.
export const keyScopeNames = Object.keys(keyScopes) as [KeyScope, ...KeyScope[]];

/** Whether a key with this scope may call an operation that needs the other. */
export const includesScope = (held: KeyScope, needed: Scope): boolean =>
  (keyScopes[held] as readonly Scope[]).includes(needed);
