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

/**
 * `networks[1] must be a network` becomes `Line 2 under Networks isn’t a network`, and `webhookUrl must be an address that …` becomes
 * `Enter an address that …`.
 */
export function withFieldLabel(message: string): string {
  const [, field = "", index, rest = ""] = /^(\w+)(?:\[(\d+)\])?( (?:must|is) .*)$/s.exec(message) ?? [];
  const label = Object.hasOwn(labels, field) ? labels[field] : undefined;
  if (label === undefined) return message;
  if (index !== undefined)
    return `Line ${Number(index) + 1} under ${label}${rest.replace(/^ must be an? /, (words) => words.replace("must be", "isn’t"))}`;
  if (rest.startsWith(" must be an address ")) return `Enter${rest.slice(" must be".length)}`;
  return `${label}${rest.replace(/ items\b/, field === "teams" ? " teams" : " lines")}`;
}
