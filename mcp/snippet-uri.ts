// The addresses of snippets: `snippet://ID`, and `snippet://ID/2` for the second part of a long text.
export const snippetUri = (id: string, part = 1): string => `snippet://${id}${part === 1 ? "" : `/${part}`}`;

export const snippetUriTemplate = "snippet://{id}{/part}";

/** @returns undefined for another address */
export function readSnippetUri(uri: string): { readonly id: string; readonly part: number } | undefined {
  const [, id, part = "1"] = /^snippet:\/\/([0-9a-f-]{36})(?:\/([1-9]\d{0,3}))?$/i.exec(uri) ?? [];
  return id === undefined ? undefined : { id, part: Number(part) };
}
