// What each error code of the API means to its caller: the table in docs/build/errors.md. The codes and statuses are those of the catalog.
import { errors, type Refusal } from "../src/contract/errors.ts";

type Catalog = typeof errors;

/** Arguments with which each refusal is made once for each of its codes. */
const samples: { readonly [Name in keyof Catalog]: readonly Parameters<Catalog[Name]>[] } = {
  httpsRequired: [[]],
  pathUnknown: [[]],
  methodNotAllowed: [["GET"]],
  authorizationMissing: [[]],
  keyInvalid: [[]],
  keyExpired: [[]],
  networkNotAllowed: [[]],
  scopeInsufficient: [[]],
  keyBudgetExceeded: [[1, 0]],
  rateLimited: [[1]],
  keyRateLimited: [[1]],
  subscriptionInactive: [[]],
  invalid: [[""]],
  cursorInvalid: [[]],
  feedCursorInvalid: [[]],
  cursorExpired: [[]],
  bodyMissing: [[]],
  jsonMalformed: [[]],
  fileMissing: [[]],
  fileUnreadable: [[""]],
  tooManySnippets: [[1, 1]],
  fileHasProblems: [[0, []]],
  importUndone: [[]],
  bodyTooDeep: [[1]],
  tooManyValues: [[1]],
  bodyTooLarge: [[]],
  bodyIncomplete: [[]],
  responseTextTooLarge: [[1]],
  responseTooLarge: [[1]],
  exportTooLarge: [[]],
  exportFormatTooLarge: [[]],
  idempotencyKeyInvalid: [[1]],
  idempotencyKeyReused: [[]],
  requestInProgress: [[1]],
  idRequired: [["Snippet"]],
  idsRequired: [["Snippet"]],
  notFound: [["Snippet"], ["Variation"], ["Folder"], ["Tag"], ["Import"], ["Team"]],
  teamForbidden: [[]],
  lastVariation: [[]],
  shortcutAmbiguous: [[[]]],
  tooManyVariations: [[1]],
  tooManyGroups: [
    ["Folder", 1],
    ["Tag", 1],
  ],
  quotaExceeded: [[1, 0]],
  storageExceeded: [[1, 0]],
  internal: [[]],
  busy: [[1]],
  exportDiskFull: [[1]],
  overloaded: [[1]],
  tooSlow: [[1]],
  draining: [[1]],
  unavailable: [[1]],
  outcomeUnknown: [[1]],
};

/** Whether the same request can succeed later: never, after the time in `Retry-After`, or after what it depends on has changed. */
type Repeat = "no" | "after `Retry-After`" | "when that has changed";

export interface ErrorAdvice {
  readonly meaning: string;
  readonly repeat: Repeat;
  /** In units. */
  readonly cost: "0" | "1" | "as the request";
}

const wrong = (meaning: string): ErrorAdvice => ({ meaning, repeat: "no", cost: "1" });
const notLetIn = (meaning: string): ErrorAdvice => ({ meaning, repeat: "when that has changed", cost: "0" });
const later = (meaning: string): ErrorAdvice => ({ meaning, repeat: "after `Retry-After`", cost: "0" });
const nowhere = (meaning: string): ErrorAdvice => ({ meaning, repeat: "no", cost: "0" });

export const errorGuide: Readonly<Record<string, ErrorAdvice>> = {
  invalid_request: wrong("A parameter or a field is wrong; the message says which and why"),
  id_required: wrong("The ID of what you want is missing in the query"),
  ids_required: wrong("The list of IDs is missing in the query"),
  body_required: wrong("The request has no body"),
  invalid_json: wrong("The body is not JSON"),
  body_incomplete: wrong("The connection ended before the body was complete"),
  cursor_expired: wrong(
    "The change feed no longer reaches back to this cursor. Get a new one, and list everything again",
  ),
  last_variation: wrong("A snippet must keep a variation. Delete the snippet instead"),
  too_many_variations: wrong("The snippet has as many variations as it can have"),
  too_many_folders: wrong("The workspace has as many folders as it can have"),
  too_many_tags: wrong("The workspace has as many tags as it can have"),
  file_unreadable: wrong("The file is not in the format, or is too large"),
  file_has_problems: wrong(
    "Parts of the file cannot be imported, and `onProblems` does not allow to leave them out. `problems` lists them",
  ),
  export_too_large: wrong("The team is too large for this export"),
  response_too_large: wrong("The response would be too large. Request fewer items at once"),
  authorization_required: nowhere("The header `Authorization: Bearer …` is missing"),
  invalid_api_key: notLetIn("The key is unknown or inactive, or its secret was rotated"),
  api_key_expired: notLetIn("The last day of the key is over"),
  https_required: nowhere("The request came without TLS. Consider the key compromised"),
  insufficient_scope: notLetIn("The key can only read"),
  network_not_allowed: notLetIn("The key does not work from this address"),
  api_key_budget_exceeded: notLetIn(
    "The key's monthly budget does not cover the request. The numbers are in the response",
  ),
  quota_exceeded: notLetIn("The workspace does not have enough units left this month. The numbers are in the response"),
  storage_exceeded: notLetIn("The workspace does not have enough storage left. The numbers are in the response"),
  subscription_inactive: notLetIn("The operator has deactivated the workspace's subscription"),
  team_forbidden: { ...wrong("The key has no access to this team"), repeat: "when that has changed" },
  not_found: nowhere("There is no such path"),
  snippet_not_found: wrong("There is no snippet with this ID, or it was deleted"),
  variation_not_found: wrong("There is no variation with this ID in this snippet"),
  folder_not_found: wrong("There is no folder with this ID"),
  tag_not_found: wrong("There is no tag with this ID"),
  team_not_found: wrong("There is no team with this ID in the workspace"),
  import_not_found: wrong("There is no import with this ID, or it is older than 30 days"),
  method_not_allowed: nowhere("The path exists, but not with this method. `Allow` lists the methods"),
  shortcut_ambiguous: wrong(
    "Several teams have a snippet with this shortcut. Add `teamId`; the response lists the teams",
  ),
  import_undone: wrong("The import that the request continues was undone"),
  request_in_progress: later("The first request with this `Idempotency-Key` is still in progress"),
  body_too_large: wrong("The body is larger than 8 MiB"),
  idempotency_key_reused: wrong("This `Idempotency-Key` belongs to a different request. Use a new one"),
  rate_limit_exceeded: later("Too many requests with this key within 60 seconds"),
  api_key_rate_limit_exceeded: later("The same, by the key's own limit"),
  internal_error: { ...nowhere("A fault of the service. Nothing was changed"), repeat: "when that has changed" },
  busy: later("Too many requests are waiting, or a search took too long. Nothing was changed"),
  disk_full: later("The service has no disk space for the export. Nothing was changed"),
  draining: later("The service is shutting down. Nothing was changed"),
  unavailable: later("The service cannot reach its database. Nothing was changed"),
  outcome_unknown: {
    meaning: "The connection to the database was lost during the request. It may have been carried out and charged",
    repeat: "after `Retry-After`",
    cost: "as the request",
  },
};

/** Each code with its status, by status. @throws Error for a code without advice, and for advice without a code */
export function errorRows(): readonly (ErrorAdvice & { readonly code: string; readonly status: number })[] {
  const statuses = new Map<string, number>();
  for (const [name, calls] of Object.entries(samples)) {
    // `samples` has the parameters of each.
    const make = errors[name as keyof Catalog] as (...words: readonly unknown[]) => Refusal;
    for (const words of calls) {
      const { code, status } = make(...words);
      statuses.set(code, status);
    }
  }
  const differing = [...new Set(statuses.keys()).symmetricDifference(new Set(Object.keys(errorGuide)))];
  if (differing.length > 0) throw new Error(`error-guide.ts and the catalog of errors differ: ${differing.join(", ")}`);
  return Object.entries(errorGuide)
    .map(([code, advice]) => ({ code, status: statuses.get(code) ?? 0, ...advice }))
    .sort((left, right) => left.status - right.status);
}
