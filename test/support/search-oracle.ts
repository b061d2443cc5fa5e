// Search as the specification describes it, without an index and without regard to speed: what the service has to find, in order.

export interface OracleSnippet {
  readonly id: string;
  readonly title: string;
  readonly shortcut: string | null;
  readonly note: string | null;
  readonly contents: readonly string[];
  readonly tagNames: readonly string[];
  readonly tagIds: readonly string[];
  readonly teamId: string;
  readonly folderId: string | null;
  readonly type: string;
  readonly isArchived: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface OracleQuery {
  readonly query?: string;
  readonly sort?: "relevance" | "updated" | "created" | "title";
  readonly in?: readonly string[];
  readonly passes?: (snippet: OracleSnippet) => boolean;
}

const stripped = (text: string) =>
  text
    .replaceAll(/\s+/g, " ")
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .normalize("NFC");
const folded = (text: string) => stripped(text).toLowerCase();

const isLetter = (text: string | undefined) => text !== undefined && /^\p{L}$/u.test(text);
const isDigit = (text: string | undefined) => text !== undefined && /^\p{N}$/u.test(text);
const isCapital = (text: string | undefined) => text !== undefined && /^[\p{Lu}\p{Lt}]$/u.test(text);
const isSmall = (text: string | undefined) => text !== undefined && /^\p{Ll}$/u.test(text);
const isCjk = (text: string | undefined) =>
  text !== undefined && /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}]$/u.test(text);

function startsPart(characters: readonly string[], at: number): boolean {
  const [before, own, after] = [characters[at - 1], characters[at], characters[at + 1]];
  if (!isLetter(before) && !isDigit(before)) return true;
  if (isCjk(before) || isCjk(own)) return true;
  if (isLetter(before) !== isLetter(own)) return true;
  return isCapital(own) && (isSmall(before) || isSmall(after));
}

/** Whether the piece occurs in the text, at the start of a part. */
function occurs(text: string, piece: string): boolean {
  const characters = [...stripped(text)];
  const wanted = [...folded(piece)];
  const small = [...folded(text)];
  const isFree = !isLetter(wanted[0]) && !isDigit(wanted[0]);
  return small.some(
    (_, at) =>
      wanted.every((character, index) => small[at + index] === character) && (isFree || startsPart(characters, at)),
  );
}

interface OraclePiece {
  readonly text: string;
  readonly isExcluded: boolean;
}

/** The pieces of a query, read character by character. */
export function piecesOf(query: string): OraclePiece[] {
  const pieces: OraclePiece[] = [];
  let rest = query.trimStart();
  while (rest !== "") {
    const isExcluded = /^-(?!-)\S/.test(rest);
    if (isExcluded) rest = rest.slice(1);
    let text: string;
    if (rest.startsWith('"')) {
      const end = rest.indexOf('"', 1);
      text = end < 0 ? rest.slice(1) : rest.slice(1, end);
      rest = end < 0 ? "" : rest.slice(end + 1);
    } else {
      text = /^\S+/.exec(rest)?.[0] ?? "";
      rest = rest.slice(text.length);
    }
    if (folded(text).trim() !== "") pieces.push({ text, isExcluded });
    rest = rest.trimStart();
  }
  return pieces;
}

const hasWord = (text: string) => /[\p{L}\p{N}]/u.test(folded(text));

export const fieldsOf = (snippet: OracleSnippet, names: readonly string[]): { field: string; text: string }[] =>
  [
    { field: "title", text: snippet.title },
    ...(snippet.shortcut === null ? [] : [{ field: "shortcut", text: snippet.shortcut }]),
    ...snippet.tagNames.map((text) => ({ field: "tags", text })),
    ...(snippet.note === null ? [] : [{ field: "note", text: snippet.note }]),
    ...snippet.contents.map((text) => ({ field: "content", text })),
  ].filter(({ field }) => names.includes(field));

/** The tier of a snippet; undefined where the query does not find it. */
function tierOf(snippet: OracleSnippet, pieces: readonly OraclePiece[], names: readonly string[]): number | undefined {
  const isInNamesOnly = pieces.every(({ text }) => !hasWord(text));
  const fields = fieldsOf(
    snippet,
    isInNamesOnly ? names.filter((name) => name === "title" || name === "shortcut") : names,
  );
  const finds = (piece: string, among = fields) => among.some(({ text }) => occurs(text, piece));
  const wanted = pieces.filter((piece) => !piece.isExcluded);
  if (wanted.some(({ text }) => !finds(text))) return undefined;
  if (pieces.some(({ text, isExcluded }) => isExcluded && finds(text))) return undefined;
  if (wanted.length === 0) return 4;
  const whole = wanted
    .map(({ text }) => folded(text))
    .join(" ")
    .replaceAll(/ +/g, " ")
    .trim();
  const titles = fields
    .filter(({ field }) => field === "title" || field === "shortcut")
    .map(({ text }) => folded(text));
  const short = fields.filter(({ field }) => ["title", "shortcut", "tags"].includes(field));
  if (wanted.some(({ text }) => !finds(text, short))) return 4;
  if (titles.includes(whole)) return 1;
  return titles.some((text) => text.startsWith(whole)) ? 2 : 3;
}

const byText = (left: string, right: string) => Buffer.compare(Buffer.from(left), Buffer.from(right));

/** Where a snippet stands in a search. */
export interface OracleRank {
  readonly id: string;
  readonly tier: number;
  readonly title: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The order of a search: negative if the first one comes before the second. */
export function compareByOracle({ query, sort }: OracleQuery, one: OracleRank, two: OracleRank): number {
  const chosen = sort ?? (query === undefined ? "updated" : "relevance");
  if (chosen === "title") return byText(folded(one.title), folded(two.title)) || byText(one.id, two.id);
  const ranks = chosen === "relevance" ? one.tier - two.tier : 0;
  const times = chosen === "created" ? byText(two.createdAt, one.createdAt) : byText(two.updatedAt, one.updatedAt);
  return ranks || times || byText(two.id, one.id);
}

/** The snippets found, in order. */
export function ranksByOracle(snippets: readonly OracleSnippet[], query: OracleQuery): OracleRank[] {
  const names = query.in ?? ["title", "shortcut", "tags", "note", "content"];
  const pieces = query.query === undefined ? [] : piecesOf(query.query);
  return snippets
    .filter((snippet) => query.passes?.(snippet) ?? !snippet.isArchived)
    .flatMap((snippet) => {
      const tier = query.query === undefined ? 4 : tierOf(snippet, pieces, names);
      const { id, title, createdAt, updatedAt } = snippet;
      return tier === undefined ? [] : { id, tier, title, createdAt, updatedAt };
    })
    .sort((left, right) => compareByOracle(query, left, right));
}

/** The IDs of the snippets found, in order. */
export const searchByOracle = (snippets: readonly OracleSnippet[], query: OracleQuery): string[] =>
  ranksByOracle(snippets, query).map(({ id }) => id);
