// How messages name a database server.

/** Host and database of a URL, without user and password. */
export function redactUrl(url: string): string {
  const { host, pathname } = new URL(url);
  return host + pathname;
}
