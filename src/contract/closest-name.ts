// Which name was probably meant by a misspelled one. The command line tool uses this too.

const typosMax = 2;

/** No name that we know is longer, and comparing takes time. */
const lengthMax = 40;

/**
 * The name that differs from `word` by few typing errors, and by less than half of its letters; undefined if there is none.
 * Case and underscores do not count.
 */
export function closestName(word: string, names: readonly string[]): string | undefined {
  if (word.length > lengthMax) return undefined;
  const typed = plain(word);
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    const known = plain(name);
    if (Math.abs(known.length - typed.length) > typosMax) continue;
    const distance = distanceOf(typed, known);
    if (distance <= typosMax && distance < known.length / 2 && distance < (best?.distance ?? Number.POSITIVE_INFINITY))
      best = { name, distance };
  }
  return best?.name;
}

const plain = (name: string): string => name.toLowerCase().replaceAll("_", "");

/** How many letters have to be added, removed, replaced, or swapped with the next one. */
function distanceOf(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= one.length; row += 1) {
    rows.push([row]);
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const steps = [
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      ];
      rows[row]?.push(Math.min(...steps));
    }
  }
  return at(one.length, other.length);
}
