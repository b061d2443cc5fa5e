// How messages name a database server.

/** Where the database is, without who goes there and by which password. */
export function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return host + pathname;
}
