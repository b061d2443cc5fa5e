// What the rows of an area share.
import { workspaceQuery } from "../fields.ts";
import type { Area } from "../operation.ts";

/**
 * The defaults of a row: people and tokens may read and change, and changes are audited. Each change says itself whether it asks for the
 * password again.
 */
export const defaultsOf = <const Name extends Area>(area: Name) =>
  ({
    read: {
      area,
      method: "GET",
      query: {},
      body: undefined,
      confirmation: "never",
      isForTokens: true,
      isAudited: false,
      isPaged: false,
    },
    change: { area, query: {}, body: undefined, isForTokens: true, isAudited: true, isPaged: false },
  }) as const;

export const ofWorkspace = { query: workspaceQuery } as const;
