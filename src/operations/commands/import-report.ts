// The table that an import saves of what was left out or changed.
import { existsSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { importReport } from "../../library/formats/import-report.ts";
import type { Warning } from "../../library/formats/tree.ts";
import { toIssue } from "../../library/import/all-or-nothing.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import type { ParsedOptions } from "./command.ts";

export const reportOption = {
  value: "CSV",
  meaning: "Save a table of problems and warnings to a new file",
} as const;

/** @returns what saves the report, if one is wanted. @throws OperatorError where it cannot be saved, before anything is imported */
export function prepareReport(
  options: ParsedOptions,
): (problems: readonly Warning[], warnings: readonly Warning[]) => void {
  const path = options.text("report");
  if (path === undefined) return () => undefined;
  if (existsSync(path)) throw new OperatorError(`${path} already exists`);
  if (!existsSync(dirname(path))) throw new OperatorError(`${dirname(path)} does not exist`);
  return (problems, warnings) =>
    writeFileSync(path, importReport(problems.map(toIssue), warnings.map(toIssue)), { flag: "wx" });
}
