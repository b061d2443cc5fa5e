// What an access token may do, for each area of the console. An area is the noun of its actions; a token never does more than its owner.
import type { Action } from "./actions.ts";

export const tokenAreas = [
  "workspace",
  "library",
  "keys",
  "usage",
  "log",
  "billing",
  "members",
  "invitations",
  "owners",
  "teams",
  "audit",
] as const satisfies readonly AreaOf<Action>[];
export type TokenArea = (typeof tokenAreas)[number];

type AreaOf<Name extends Action> = Name extends `${infer Area}.${string}` ? Area : never;

export const scopeLevels = ["read", "write"] as const;
type ScopeLevel = (typeof scopeLevels)[number];

/** To write includes to read. An area that is missing is closed. */
export type Scopes = Readonly<Partial<Record<TokenArea, ScopeLevel | undefined>>>;

/** The noun of an action. It may be an area of which no token has any. */
export const areaOf = (action: Action): string => action.slice(0, action.indexOf("."));

export function isInScopes(scopes: Scopes, action: Action, level: ScopeLevel): boolean {
  const area = tokenAreas.find((candidate) => candidate === areaOf(action));
  const granted = area && scopes[area];
  return granted === level || granted === "write";
}
