// The shapes that the parts of this page share.
import type { DataOf, RowOf } from "../../api.ts";

export type ApiKey = RowOf<"getKeys">;
export type KeyWithSecret = DataOf<"postKey">;
export type Team = DataOf<"getTeams">[number];
export type KeyTeams = "all" | readonly string[];

/** A name may be anything that somebody typed: it is read aloud and told whole, and cut only for the eye. */
export const quoted = (name: string): string => `“${name}”`;
