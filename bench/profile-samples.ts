// Reads a CPU profile and adds up its samples.

interface Node {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

/** The file that `bun --cpu-prof` writes. */
export interface CpuProfile {
  readonly nodes: readonly Node[];
  readonly samples: readonly number[];
  /** Microseconds since the sample before. */
  readonly timeDeltas: readonly number[];
}

/** One look at what ran. */
export interface Sample {
  readonly seconds: number;
  /** The functions that were running and come from files, the innermost first. */
  readonly frames: readonly { readonly path: string; readonly name: string }[];
  /** The function of the runtime that the innermost one had called. */
  readonly native: string | undefined;
}

/** The time between two samples while JavaScript runs. There are none while it does not, so a longer gap says nothing of the sample. */
const intervalMicroseconds = 1_000;
const filePrefix = "file://";
const shownMax = 14;
const barCells = 24;

/** The samples of the last seconds of a profile. */
export function samplesOf({ nodes, samples, timeDeltas }: CpuProfile, seconds: number): Sample[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const stackOf = (id: number): Node[] => {
    const stack: Node[] = [];
    for (let node = byId.get(id); node; node = byId.get(parents.get(node.id) ?? -1)) stack.push(node);
    return stack;
  };
  const end = timeDeltas.reduce((sum, delta) => sum + delta, 0);
  let at = 0;
  return samples.flatMap((id, index) => {
    const delta = timeDeltas[index] ?? 0;
    at += delta;
    if (at < end - seconds * 1e6) return [];
    const stack = stackOf(id);
    const frames = stack
      .filter(({ callFrame }) => callFrame.url.startsWith(filePrefix))
      .map(({ callFrame }) => ({
        path: decodeURIComponent(callFrame.url.slice(filePrefix.length)),
        name: callFrame.functionName,
      }));
    const [leaf] = stack;
    const native = leaf && !leaf.callFrame.url.startsWith(filePrefix) ? leaf.callFrame.functionName || "…" : undefined;
    return [{ seconds: Math.min(delta, 2 * intervalMicroseconds) / 1e6, frames, native }];
  });
}

/** @returns the seconds of each name, the most first */
export function sumBy(samples: readonly Sample[], nameOf: (sample: Sample) => string): [string, number][] {
  const sums = new Map<string, number>();
  for (const sample of samples) sums.set(nameOf(sample), (sums.get(nameOf(sample)) ?? 0) + sample.seconds);
  return [...sums].sort(([, a], [, b]) => b - a);
}

export function formatShares(title: string, sums: readonly (readonly [string, number])[], all: number): string[] {
  const most = sums[0]?.[1] ?? 0;
  return [
    "",
    title,
    ...sums.slice(0, shownMax).map(([name, seconds]) => {
      const bar = "█".repeat(Math.round((seconds / most) * barCells)).padEnd(barCells);
      return `  ${((seconds / all) * 100).toFixed(1).padStart(5)} %  ${bar}  ${name}`.slice(0, 100).trimEnd();
    }),
  ];
}
