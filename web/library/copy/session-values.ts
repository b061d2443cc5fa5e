// What was typed into placeholders last, so that a customer's name is typed once for several replies. Kept in memory until the person
// signs out or the page is closed, and stored nowhere.
import type { QueryClient } from "@tanstack/react-query";

/** The cache of reads is emptied when the person signs out, so the values are kept in it. */
const key = ["placeholder-values"];

export const typedValues = (client: QueryClient): ReadonlyMap<string, string> =>
  client.getQueryData<ReadonlyMap<string, string>>(key) ?? new Map();

export function rememberValues(client: QueryClient, values: ReadonlyMap<string, string>): void {
  client.setQueryDefaults(key, { gcTime: Number.POSITIVE_INFINITY, structuralSharing: false });
  client.setQueryData(key, new Map([...typedValues(client), ...values]));
}
