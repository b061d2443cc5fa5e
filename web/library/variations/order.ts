// The order of variations while one changes it.

/** Moves one item to another place. Places beyond the ends are the ends. */
export function moved<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const item = items[from];
  if (item === undefined) return items;
  const rest = items.filter((_, index) => index !== from);
  const place = Math.max(0, Math.min(to, rest.length));
  return [...rest.slice(0, place), item, ...rest.slice(place)];
}

/** Where a dragged item belongs: before the first other one whose middle is below it. @param middles of all items, from the top */
export const placeAt = (y: number, from: number, middles: readonly number[]): number =>
  middles.filter((middle, index) => index !== from && middle < y).length;
