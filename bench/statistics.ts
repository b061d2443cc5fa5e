// The two numbers that a list of measurements is told by; both are 0 of none.

const inOrder = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

/** The value in the middle, or half way between the two that are. */
export function median(values: readonly number[]): number {
  const sorted = inOrder(values);
  const [low = 0, high = 0] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (low + high) / 2;
}

/** The value below which a share of the values lies. */
export const percentile = (values: readonly number[], share: number): number =>
  inOrder(values)[Math.floor(values.length * share)] ?? 0;
