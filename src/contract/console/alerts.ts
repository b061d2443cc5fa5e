// The alerts of a workspace: what they report, and where they are sent.

/** What a webhook receives. `test` is sent only on request. */
export const alertTypes = ["quota.reached", "key.expiring", "key.refused", "test"] as const;
export type AlertType = (typeof alertTypes)[number];

export const deliveryStates = ["waiting", "delivered", "failed"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Why an attempt got no response with a status. */
export const deliveryFailures = [
  "host_not_found",
  "private_address",
  "certificate",
  "connection",
  "timeout",
  "no_response",
  "no_webhook",
] as const;
export type DeliveryFailure = (typeof deliveryFailures)[number];

/** @returns what is wrong with the address of a webhook; undefined for a good one */
export function webhookUrlProblem(text: string): string | undefined {
  const url = URL.parse(text);
  if (url?.protocol !== "https:") return "must be an address that starts with https://";
  if (url.username !== "" || url.password !== "") return "must not contain a user name or password";
  return url.hash === "" ? undefined : "must not contain a fragment (#)";
}
