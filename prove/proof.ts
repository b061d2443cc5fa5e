// What a proof is: a row of the table in promises.ts, and the function that it runs.
import type { Fault } from "./planted-fault.ts";

export const engineNames = ["sqlite", "postgres"] as const;
export type EngineName = (typeof engineNames)[number];

/** How much a run does: everything, a smoke test of some seconds, or just enough to see a planted fault. */
export type Form = "long" | "short" | "control";

/** One run of a proof on one engine. */
export interface Run {
  readonly engine: EngineName;
  readonly form: Form;
  /** All random choices follow from it. */
  readonly seed: number;
  /** What the run has done so far. The proof adds to it: rounds or sequences, and requests or values in them. */
  readonly made: { runs: number; inputs: number };
  /** Whether the time, or this share of it, is up. A proof that is not done then ends early; the table shows how much it made. */
  readonly isOver: (share?: number) => boolean;
  /** Shows the progress. @param share from 0 to 1, shown as a bar */
  readonly show: (detail: string, share?: number) => void;
}

/** Throws if the promise is broken. @returns what else is worth knowing: one line each */
export type Prove = (run: Run) => Promise<readonly string[]>;

/** A run of the same proof that must fail. */
export interface Control {
  /** What is broken, in a few words. */
  readonly plants: string;
  readonly faults?: readonly Fault[];
  /** For a fault that is not in the source: environment variables of the run, and of the processes that it starts. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The message that the run must fail with, so that a run that fails for another reason does not count. */
  readonly shows: RegExp;
}

/** A promise with a proof. */
export interface Promised {
  readonly id: `P${number}`;
  /** The promise in one sentence, as in docs/how/proofs.md. */
  readonly sentence: string;
  readonly engines: readonly EngineName[];
  /** The most that the long form takes on one engine. */
  readonly minutes: number;
  /** Both engines run at the same time: the proof measures no time, and a run uses one processor. */
  readonly isSideBySide?: true;
  /** Why this machine cannot run it, for example that it needs Linux. */
  readonly missing?: () => string | undefined;
  /** Loads the proof. Only the process that runs it does so: proofs use what exists only in Bun's test runner. */
  readonly load: () => Promise<Prove>;
  /** Each of several must be found. */
  readonly control: (engine: EngineName) => Control | readonly Control[];
}

export const controlsOf = ({ control }: Promised, engine: EngineName): readonly Control[] => [control(engine)].flat();

export const needsLinux = (): string | undefined => (process.platform === "linux" ? undefined : "needs Linux");
export const needsRoot = (): string | undefined =>
  needsLinux() ?? (process.getuid?.() === 0 ? undefined : "needs root on Linux");
/** For a C library that is preloaded into the service. */
export const needsLinuxAndCompiler = (): string | undefined =>
  needsLinux() ?? (Bun.which("cc") === null ? "needs a C compiler (cc)" : undefined);

/** What the runner tells the process of a run, in an environment variable. */
export interface Order {
  readonly id: string;
  readonly engine: EngineName;
  readonly form: Form;
  readonly seed: number;
  readonly minutes: number;
}
export const orderVariable = "PROVE_RUN";

/** What the process of a run tells the runner, a line of standard output each. */
export type Report =
  | { readonly kind: "facts"; readonly facts: readonly string[] }
  | { readonly kind: "progress"; readonly detail: string; readonly share?: number }
  | ({ readonly kind: "outcome" } & Outcome);

export interface Outcome {
  readonly runs: number;
  readonly inputs: number;
  /** Undefined if the promise held. */
  readonly failure?: string;
  readonly notes: readonly string[];
}

/** Begins each line of a report, because other output is on the same stream. */
export const reportPrefix = "prove: ";
