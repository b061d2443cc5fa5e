// The first call with a new key, ready to be pasted into a terminal.

/** Where calls go, and the certificate that a client must trust; undefined or null where the system's own store does. */
export interface Address {
  readonly baseUrl: string;
  readonly caPath: string | null | undefined;
}

/** An id that nothing has. */
const nobody = "00000000-0000-0000-0000-000000000000";

/**
 * One line that works when pasted: it makes a snippet in the team, and its answer is the snippet's id. Without a team there is nothing
 * to make, and it asks for a tag that is not there.
 */
export function firstCall({ baseUrl, caPath }: Address, secret: string, teamId: string | undefined): string {
  const trust = caPath === null || caPath === undefined ? "" : ` --cacert ${quote(caPath)}`;
  const curl = (path: string) => `curl${trust} ${quote(`${baseUrl}${path}`)} -H 'Authorization: Bearer ${secret}'`;
  if (teamId === undefined) return curl(`/tags?ids=${nobody}`);
  const body = { title: "Hello", teamId, content: { type: "plaintext", content: "Hello, world" } };
  return `${curl("/snippet")} -d '${JSON.stringify(body)}'`;
}

const quote = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
