// The filters of the request log, as they appear in the address of the page.
import type { DataOf } from "../../api.ts";
import { apiOperations } from "../../contract.macro.ts" with { type: "macro" };
import { isDay } from "../../time.ts";

export const operations = apiOperations();

export type LogEntry = DataOf<"getLog">[number];

export const statuses = ["200", "304", "400", "401", "403", "404", "409", "413", "422", "429", "500"] as const;
type Status = (typeof statuses)[number];

const statusNames: Readonly<Record<Status, string>> = {
  "200": "OK",
  "304": "Not modified",
  "400": "Bad request",
  "401": "Unauthorized",
  "403": "Forbidden",
  "404": "Not found",
  "409": "Conflict",
  "413": "Too large",
  "422": "Idempotency key reused",
  "429": "Rate limited",
  "500": "Server error",
};

/** Tells the rows of a page apart: a row that counts requests has no request ID. */
export const keyOf = (entry: LogEntry): string =>
  entry.id ?? [entry.at, entry.key_id, entry.status, entry.explanation].join(" ");

/** True for a row that counts requests that were not admitted. */
export const isCounting = ({ id }: LogEntry): boolean => id === null;

/** 404 → `404 Not found` */
export const statusText = (status: number | string): string => {
  const name = statusNames[`${status}` as Status] ?? "";
  return `${status} ${name}`.trim();
};

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** The filters as typed and selected; '' if not set. */
export interface LogFilter {
  readonly keyId: string;
  readonly operation: string;
  readonly status: string;
  readonly from: string;
  readonly to: string;
  readonly requestId: string;
}

export const noFilter: LogFilter = { keyId: "", operation: "", status: "", from: "", to: "", requestId: "" };

export const readFilter = (search: URLSearchParams): LogFilter => ({
  keyId: search.get("keyId") ?? "",
  operation: search.get("operation") ?? "",
  status: search.get("status") ?? "",
  from: search.get("from") ?? "",
  to: search.get("to") ?? "",
  requestId: search.get("requestId") ?? "",
});

export const isFiltered = (filter: LogFilter): boolean => Object.values(filter).some((value) => value !== "");

/** The filters that are set, for the address. */
export const toSearch = (filter: LogFilter): Record<string, string> =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ""));

/** The valid filters as query parameters, and the errors of the others. */
export function toQuery(filter: LogFilter) {
  const { keyId, from, to, requestId } = filter;
  const isRangeReversed = isDay(from) && isDay(to) && from > to;
  const isRequestIdInvalid = requestId !== "" && !isUuid(requestId.trim());
  return {
    errors: {
      to: isRangeReversed ? "Must be on or after the start date." : undefined,
      requestId: isRequestIdInvalid ? "Enter the full request ID from the X-Request-Id header." : undefined,
    },
    query: {
      keyId: isUuid(keyId) ? keyId : undefined,
      operation: operations.find(({ name }) => name === filter.operation)?.name,
      status: statuses.find((status) => status === filter.status),
      from: isDay(from) && !isRangeReversed ? from : undefined,
      to: isDay(to) && !isRangeReversed ? to : undefined,
      requestId: isRequestIdInvalid || requestId === "" ? undefined : requestId.trim(),
    },
  };
}
