// What is wrong with the arguments of a tool, in words that an agent can act on.
import type { z } from "zod";
import type { Tool } from "./tool.ts";

/** One line for each problem. */
export const argumentProblems = (tool: Tool, { issues }: z.ZodError, given: unknown): string =>
  issues.flatMap((issue) => problemsOf(tool, issue, given)).join("\n");

function problemsOf({ name, input }: Tool, issue: z.core.$ZodIssue, given: unknown): string[] {
  const all = Object.keys(input.shape).join(", ");
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => `${name} has no argument "${key}". Its arguments: ${all}`);
  const [argument, ...rest] = issue.path.map(String);
  if (argument === undefined) return [`the arguments of ${name} must be an object`];
  const place = [argument, ...rest].join(".");
  if (issue.code === "too_big") return [`${place} must be at most ${issue.maximum}`];
  if (issue.code === "too_small") return [`${place} must be at least ${issue.minimum}`];
  if (issue.code === "invalid_value") return [`${place} must be one of: ${issue.values.join(", ")}`];
  if (issue.code !== "invalid_type") return [`${place}: ${issue.message}`];
  const isMissing = rest.length === 0 && !Object.hasOwn(Object(given), argument);
  return [isMissing ? `${name} needs the argument ${argument}` : `${place} must be ${nameOf(issue.expected)}`];
}

const names: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  record: "an object",
  object: "an object",
};
const nameOf = (expected: string): string => names[expected] ?? expected;
