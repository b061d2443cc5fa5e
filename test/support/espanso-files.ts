// Reads files for Espanso as it does, to see whether it could fill in every text.
import type { OutputFile } from "../../src/library/formats/tree.ts";

interface Match {
  readonly [field: string]: unknown;
  readonly trigger?: string;
  readonly triggers?: readonly string[];
  readonly regex?: string;
  readonly vars?: readonly { readonly name: string; readonly type: string; readonly params?: object }[];
}

export const matchesIn = (files: readonly OutputFile[]): Match[] =>
  files.flatMap(({ bytes }) => (Bun.YAML.parse(new TextDecoder().decode(bytes)) as { matches: Match[] }).matches);

/** Variables that Espanso does not know when it needs them, or would run a command for. */
export const undefinedVariables = (files: readonly OutputFile[]): string[] => matchesIn(files).flatMap(undefinedIn);

function undefinedIn({ trigger, triggers, regex = "", vars = [], ...match }: Match): string[] {
  const groups = trigger === undefined && triggers === undefined ? regex.matchAll(/\(\?P<(\w+)>/g) : [];
  const known = new Set(Array.from(groups, ([, name]) => name));
  const unknown: string[] = [];
  const check = (value: unknown) => {
    for (const [whole, name] of JSON.stringify(value ?? "").matchAll(/\{\{(?:\s|\\n)*(\w+)(?:\.\w+)?(?:\s|\\n)*\}\}/g))
      if (!known.has(name)) unknown.push(whole);
  };
  for (const { name, type, params } of vars) {
    check(params);
    if (type === "shell" || type === "script") unknown.push(`${type} ${name}`);
    known.add(name);
  }
  for (const field of ["replace", "markdown", "html", "form"]) check(match[field]);
  return unknown;
}
