// What a release is made from: the version, the commit, and the commit's date, which every file in every archive has.
import manifest from "../../package.json" with { type: "json" };
import { run } from "./run.ts";

export interface Source {
  readonly version: string;
  readonly commit: string;
  /** Seconds since 1970. */
  readonly date: number;
  /** Files differ from the commit, so that the release cannot be built again from it. */
  readonly isChanged: boolean;
}

/** SOURCE_DATE_EPOCH, as other builds know it, replaces the date. */
export function readSource(): Source {
  const given = process.env.SOURCE_DATE_EPOCH;
  if (given !== undefined && !/^\d{1,12}$/.test(given))
    throw new Error(`SOURCE_DATE_EPOCH must be seconds since 1970, not "${given}"`);
  return {
    version: manifest.version,
    commit: run(["git", "rev-parse", "HEAD"]).trim(),
    date: Number(given ?? run(["git", "log", "-1", "--format=%ct"])),
    isChanged: run(["git", "status", "--porcelain"]) !== "",
  };
}
