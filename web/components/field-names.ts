// Puts what a form shows in place of the field that a message of the API names.

/** The fields that the service checks more strictly than the forms do. */
const labels: Readonly<Record<string, string>> = {
  address: "Address",
  emails: "Addresses",
  expiresAt: "Last day",
  monthlyBudget: "Monthly budget",
  networks: "Networks",
  requestsPerMinute: "Requests per minute",
  teams: "Teams",
  webhookUrl: "Address",
};

/** `networks[1] must be a network` becomes `Networks, line 2, must be a network`. */
export function withFieldLabel(message: string): string {
  const [, field = "", index, rest = ""] = /^(\w+)(?:\[(\d+)\])?( (?:must|is) .*)$/s.exec(message) ?? [];
  const label = Object.hasOwn(labels, field) ? labels[field] : undefined;
  if (label === undefined) return message;
  return `${label}${index === undefined ? "" : `, line ${Number(index) + 1},`}${rest.replace(/ items\b/, field === "teams" ? " teams" : " lines")}`;
}
