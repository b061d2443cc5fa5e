// How long a run takes and how much data it is on.

/** The size of the measurements. */
export interface Plan {
  readonly snippets: number;
  /** Snippets of the instance with many workspaces. */
  readonly crowdSnippets: number;
  /** Increasing numbers of snippets at which the same calls are compared. */
  readonly sizes: readonly number[];
  /** Snippets of the workspaces that are searched. */
  readonly searchSizes: readonly number[];
  readonly sizeSeconds: number;
  readonly sizeRounds: number;
  readonly rounds: number;
  readonly seconds: number;
  /** A round of one connection. */
  readonly singleSeconds: number;
  /** A round of the open loop, long enough for its hundredth part to be some calls. */
  readonly openLoopSeconds: number;
  /** How often, and for how long, one workspace is measured beside another. A hundredth of its requests has to be some. */
  readonly besideRounds: number;
  readonly besideSeconds: number;
  /** How often batches of texts of each length are measured. */
  readonly lengthRounds: number;
  readonly starts: number;
  /** The load under which a profile is taken. */
  readonly profileSeconds: number;
}

export const fullPlan: Plan = {
  snippets: 100_000,
  crowdSnippets: 100_000,
  sizes: [10_000, 100_000, 1_000_000],
  searchSizes: [2_000, 200_000, 1_000_000],
  sizeSeconds: 2,
  sizeRounds: 5,
  rounds: 5,
  seconds: 4,
  singleSeconds: 1,
  openLoopSeconds: 5,
  besideRounds: 5,
  besideSeconds: 7,
  lengthRounds: 5,
  starts: 10,
  profileSeconds: 10,
};

export const quickPlan: Plan = {
  snippets: 20_000,
  crowdSnippets: 25_000,
  sizes: [1_000, 20_000],
  searchSizes: [2_000, 20_000],
  sizeSeconds: 1,
  sizeRounds: 2,
  rounds: 3,
  seconds: 1,
  singleSeconds: 1,
  openLoopSeconds: 1,
  besideRounds: 1,
  besideSeconds: 2,
  lengthRounds: 2,
  starts: 3,
  profileSeconds: 3,
};
