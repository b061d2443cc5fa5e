// Fills in the placeholders of a text with the values of `--set name=value`.
import { describeEmpty, fillIn, placeholderNames } from "../../src/library/placeholders.ts";
import { Failure, UsageError } from "./failures.ts";
import { ask, isInteractive } from "./terminal/ask.ts";
import { notice } from "./terminal/print.ts";

/** @throws UsageError for one without an equals sign */
export function readValues(pairs: readonly string[], command: string): ReadonlyMap<string, string> {
  return new Map(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      if (at < 1) throw new UsageError(`--set must be NAME=VALUE, not "${pair}"`, command);
      return [pair.slice(0, at).trim(), pair.slice(at + 1)] as const;
    }),
  );
}

/**
 * The text with its values. What is still empty is said on standard error.
 * @param asks ask for what is missing, if there is a person to ask
 * @throws Failure for a value without a placeholder, since the name is probably wrong
 */
export async function fillPlaceholders(
  text: string,
  given: ReadonlyMap<string, string>,
  asks: boolean,
): Promise<string> {
  const names = placeholderNames(text);
  const unknown = [...given.keys()].find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const known = names.map((name) => `{{${name}}}`).join(", ");
    throw new Failure(
      known === "" ? "the text has no placeholders" : `the text has no placeholder {{${unknown}}}, only ${known}`,
    );
  }
  const values = new Map(given);
  if (asks && isInteractive())
    for (const name of names) if (!values.has(name)) values.set(name, await ask(`${name}: `));
  const empty = describeEmpty(names, values);
  if (empty !== undefined) notice(`${empty}.`);
  return fillIn(text, values);
}
