// Median and percentiles of measurements; 0 without any.

const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const ordered = sorted(values);
  const [low = 0, high = 0] = [ordered[(ordered.length - 1) >> 1], ordered[ordered.length >> 1]];
  return (low + high) / 2;
}

/** The value below which a share of the values lies. @param share from 0 to 1 */
export const percentile = (values: readonly number[], share: number): number =>
  sorted(values)[Math.floor(values.length * share)] ?? 0;
