// The addresses of snippets: `commonplace://snippets/ID`, and `commonplace://snippets/ID?part=2` for the second part of a long text.
export const snippetUri = (id: string, part = 1): string =>
  `commonplace://snippets/${id}${part === 1 ? "" : `?part=${part}`}`;

export const snippetUriTemplate = "commonplace://snippets/{id}{?part}";

/** @returns undefined for another address */
export function readSnippetUri(uri: string): { readonly id: string; readonly part: number } | undefined {
  const [, id, part = "1"] = /^commonplace:\/\/snippets\/([0-9a-f-]{36})(?:\?part=([1-9]\d{0,3}))?$/i.exec(uri) ?? [];
  return id === undefined ? undefined : { id, part: Number(part) };
}
