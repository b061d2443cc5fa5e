// What a report on a release contains. docs/reports/VERSION.json keeps it, and docs/reports/VERSION.md shows it.
import type { Origin } from "../../bench/machine.ts";
import type { Report as Benchmark } from "../../bench/report.ts";
import type { ProofRun } from "../../prove/report.ts";

/** A file of the release, in bytes. */
export interface ReleaseFile {
  readonly name: string;
  readonly bytes: number;
}

/** The tests of a module: how many files, and how long they take on each engine. */
export interface TestFolder {
  readonly folder: string;
  readonly files: number;
  readonly seconds: { readonly sqlite: number; readonly postgres: number };
}

export interface ReleaseReport {
  readonly version: string;
  readonly tests: readonly TestFolder[];
  /** Programs of others that the tests use, with their versions. */
  readonly tools: Readonly<Record<string, string>>;
  readonly proofs?: ProofRun & {
    /** What a long run of a promise did, as Markdown; also of earlier runs that did more. */
    readonly details?: Readonly<Record<string, string>>;
  };
  readonly benchmarks: readonly (Benchmark & { readonly title: string })[];
  readonly release?: Origin & { readonly files: readonly ReleaseFile[] };
}
