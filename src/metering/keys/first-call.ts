// The first call with a new key, ready to paste into a terminal.

/** The address of the API, and the certificate that a client must trust; undefined or null where the system trusts it already. */
export interface Address {
  readonly baseUrl: string;
  readonly caPath: string | null | undefined;
}

/** The start of each curl command for the service: curl, and the certificate that it must trust, if any. */
export const curlStart = (caPath: Address["caPath"]): string =>
  caPath === null || caPath === undefined ? "curl" : `curl --cacert ${quote(caPath)}`;

/** An id that no resource has. */
const unknownId = "00000000-0000-0000-0000-000000000000";

/**
 * A curl command that creates a snippet in the team. Where nothing can be created, it reads a tag that does not exist.
 *
 * @param teamId undefined without a team, and for a key that can only read
 */
export function firstCall({ baseUrl, caPath }: Address, secret: string, teamId: string | undefined): string {
  const curl = (path: string) =>
    `${curlStart(caPath)} ${quote(`${baseUrl}${path}`)} -H 'Authorization: Bearer ${secret}'`;
  if (teamId === undefined) return curl(`/tags?ids=${unknownId}`);
  const body = { title: "Hello", shortcut: "/hello", teamId, content: { type: "plaintext", content: "Hello, world" } };
  return `${curl("/snippet")} -d '${JSON.stringify(body)}'`;
}

const quote = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
