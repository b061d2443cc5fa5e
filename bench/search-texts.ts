// Texts like those that people keep: words distributed according to Zipf's law, code with identifiers made of them, some Japanese, a few very
// long ones. The same number always gives the same text.

/** A generator of numbers from 0 to 1 with a short state. */
export function createRandom(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 4_294_967_296;
  };
}

const syllables =
  "ba be bo ca ce co da de di fa fe fi ga ge go ha he ho ka ke ki la le lo ma me mi na ne no pa pe pi ra re ri sa se si ta te ti va ve vo za ze al an ar as at el en er es et in is it on or os un ur us th st tr pr".split(
    " ",
  );
const wordCount = 60_000;

/** The word of this rank; frequent ones are shorter. */
function wordOf(rank: number): string {
  const random = createRandom(rank + 7);
  const length = 1 + Math.min(5, Math.floor(Math.log10(rank + 1) + random() * 1.6));
  return Array.from({ length }, () => syllables[Math.floor(random() * syllables.length)]).join("");
}
const words = Array.from({ length: wordCount }, (_, rank) => wordOf(rank));

/** A rank by Zipf's law. */
const rankOf = (random: () => number): number => Math.min(wordCount - 1, Math.floor(wordCount ** random()) - 1);

export const wordAt = (rank: number): string => words[rank] ?? "";
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const kanji = "東京都庁会社員日本語文章検索機能電話番号住所氏名確認連絡返金注文配送時間今日明日";

export interface SearchText {
  readonly title: string;
  readonly shortcut: string | null;
  readonly note: string | null;
  readonly type: string;
  readonly content: string;
}

/**
 * @param contentBytes the length of its content, to the next line; by default about 670 bytes on average, with a long tail
 */
export function searchTextOf(number: number, contentBytes?: number): SearchText {
  const random = createRandom(number + 1);
  const word = () => wordAt(rankOf(random));
  const identifier = () => {
    const parts = Array.from({ length: 2 + Math.floor(random() * 2) }, word);
    return random() < 0.7 ? (parts[0] ?? "") + parts.slice(1).map(capital).join("") : parts.join("_");
  };
  const kind = random();
  const drawnBytes = Math.min(200_000, Math.floor(220 * Math.exp(1.35 * gauss(random))) + 40);
  const bytes = contentBytes ?? drawnBytes;
  const line = (): string => {
    if (kind < 0.35)
      return random() < 0.5
        ? `  const ${identifier()} = await ${word()}.${identifier()}(${word()}, ${Math.floor(random() * 1_000)});`
        : `  if (${identifier()} !== ${word()}[${Math.floor(random() * 10)}]) return ${identifier()}(${word()});`;
    if (kind < 0.4)
      return `${Array.from({ length: 12 + Math.floor(random() * 20) }, () => kanji[Math.floor(random() * kanji.length)]).join("")}。`;
    return `${capital(Array.from({ length: 6 + Math.floor(random() * 10) }, word).join(" "))}.`;
  };
  let content = "";
  while (Buffer.byteLength(content) < bytes) content += `${line()}\n`;
  return {
    title: capital(Array.from({ length: 2 + Math.floor(random() * 4) }, word).join(" ")),
    shortcut: random() < 0.4 ? `/${word()}${Math.floor(random() * 100)}` : null,
    note: random() < 0.2 ? `${capital(Array.from({ length: 8 }, word).join(" "))}.` : null,
    type: kind < 0.35 ? "typescript" : "plaintext",
    content,
  };
}

const gauss = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(random() || 1e-9)) * Math.cos(2 * Math.PI * random());
