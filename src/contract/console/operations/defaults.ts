// What the rows of an area have in common.
import { workspaceQuery } from "../fields.ts";
import type { Area } from "../operation.ts";

/** What holds for a row that does not say otherwise: reads and changes are for people and for tokens, and changes stand in the audit log. */
export const defaultsOf = <const Name extends Area>(area: Name) =>
  ({
    read: { area, method: "GET", query: {}, body: undefined, isForTokens: true, isAudited: false, isPaged: false },
    change: { area, query: {}, body: undefined, isForTokens: true, isAudited: true, isPaged: false },
  }) as const;

export const ofWorkspace = { query: workspaceQuery } as const;
