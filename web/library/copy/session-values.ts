// What was typed into placeholders, to be suggested again: a customer's name is often needed for several replies. Never filled in by
// itself, because the next reply may be for somebody else. Kept in memory until the person signs out or the page is closed.
import type { QueryClient } from "@tanstack/react-query";

/** By the name of the placeholder, the newest first. */
type Recent = ReadonlyMap<string, readonly string[]>;

/** The cache of reads is emptied when the person signs out, so the values are kept in it. */
const key = ["placeholder-values"];
const recentMax = 5;

export const recentValues = (client: QueryClient): Recent => client.getQueryData<Recent>(key) ?? new Map();

export function rememberValues(client: QueryClient, values: ReadonlyMap<string, string>): void {
  client.setQueryDefaults(key, { gcTime: Number.POSITIVE_INFINITY, structuralSharing: false });
  client.setQueryData(key, withValues(recentValues(client), values));
}

/** Each value comes first for its name. Empty ones are not kept. */
export function withValues(recent: Recent, values: ReadonlyMap<string, string>): Recent {
  const typed = [...values].filter(([, value]) => value !== "");
  return new Map([
    ...recent,
    ...typed.map(([name, value]) => {
      const others = (recent.get(name) ?? []).filter((other) => other !== value);
      return [name, [value, ...others].slice(0, recentMax)] as const;
    }),
  ]);
}
