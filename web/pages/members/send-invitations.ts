// Inviting several people at once: the addresses of a text, and one invitation for each.
import { ApiError, type BodyOf, callConsole } from "../../call.ts";
import type { CreatedInvitation } from "./member.ts";

/** So many that a team fits in; each is an email that the recipient did not ask for. */
export const addressesMax = 50;

/** The addresses of a text, separated by commas, semicolons, spaces, or lines; each once. */
export const readAddresses = (text: string): string[] => [
  ...new Map(
    text
      .split(/[\s,;]+/)
      .filter((address) => address !== "")
      .map((address) => [address.toLowerCase(), address]),
  ).values(),
];

/** What is wrong with the addresses; undefined if nothing is. */
export function addressesError(addresses: readonly string[]): string | undefined {
  if (addresses.length === 0) return "Enter an email address.";
  if (addresses.length > addressesMax) return `Enter at most ${addressesMax} addresses at a time.`;
  const wrong = addresses.filter((address) => !/^[^\s@]+@[^\s@]+$/.test(address));
  if (wrong.length === 0) return undefined;
  return `${wrong.map((address) => `“${address}”`).join(", ")} ${wrong.length === 1 ? "isn’t an email address." : "aren’t email addresses."}`;
}

export interface RefusedInvitation {
  readonly email: string;
  readonly message: string;
}

export interface InviteOutcome {
  readonly invited: readonly CreatedInvitation[];
  readonly refused: readonly RefusedInvitation[];
}

/** These concern the person who invites, and not one of the addresses. */
const ownProblems: ReadonlySet<string> = new Set(["confirmation_required", "sign_in_required"]);

/**
 * Invites one address after another. What concerns the person who invites ends it: a call again with the same outcomes continues.
 * @param outcomes filled in, by address
 */
export async function sendInvitations(
  workspaceId: string,
  bodies: readonly BodyOf<"postInvitation">[],
  outcomes: Map<string, CreatedInvitation | RefusedInvitation>,
): Promise<InviteOutcome> {
  for (const body of bodies) {
    if (outcomes.has(body.email)) continue;
    try {
      const { data } = await callConsole("postInvitation", { body, workspaceId, query: {} });
      // The service makes its responses from the row that this type comes from.
      outcomes.set(body.email, data as CreatedInvitation);
    } catch (error) {
      if (!(error instanceof ApiError) || ownProblems.has(error.code)) throw error;
      if (bodies.length === 1) throw error;
      outcomes.set(body.email, { email: body.email, message: error.message });
    }
  }
  const all = [...outcomes.values()];
  return { invited: all.filter((one) => "link" in one), refused: all.filter((one) => "message" in one) };
}
