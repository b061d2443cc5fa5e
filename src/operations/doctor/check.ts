// What a check of the doctor is: a question, the verdict on it, and how to mend what is wrong.

export type Standing = "ok" | "warning" | "problem";

export interface Check<Patient> {
  readonly name: string;
  /** The question. */
  readonly asks: string;
  /** How to mend what it finds. */
  readonly mend: string;
  readonly examine: (patient: Patient) => Verdict | Promise<Verdict>;
}

export interface Verdict {
  readonly standing: Standing;
  /** What was found, in one line. */
  readonly says: string;
  /** Where what was found is mended in another way than the check's own. */
  readonly mend?: string;
  /** Without what was asked for here, nothing that comes after it can be asked. */
  readonly isEnd?: boolean;
}

export interface Finding {
  readonly check: string;
  readonly asks: string;
  readonly standing: Standing;
  readonly says: string;
  /** Null where nothing is to be done. */
  readonly mend: string | null;
}

export const ok = (says: string, more: Partial<Verdict> = {}): Verdict => ({ standing: "ok", says, ...more });
export const warning = (says: string, more: Partial<Verdict> = {}): Verdict => ({ standing: "warning", says, ...more });
export const problem = (says: string, more: Partial<Verdict> = {}): Verdict => ({ standing: "problem", says, ...more });

/** Goes through the checks in their order. @param onStep is told of each check before it is made */
export async function examineAll<Patient>(
  checks: readonly Check<Patient>[],
  patient: Patient,
  onStep: (check: string) => void,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) {
    onStep(check.name);
    const verdict = await examine(check, patient);
    findings.push(findingOf(check, verdict));
    if (verdict.isEnd) break;
  }
  return findings;
}

export const findingOf = (
  { name, asks, mend }: Pick<Check<never>, "name" | "asks" | "mend">,
  verdict: Verdict,
): Finding => ({
  check: name,
  asks,
  standing: verdict.standing,
  says: verdict.says,
  mend: verdict.standing === "ok" ? null : (verdict.mend ?? mend),
});

/** What can not be asked is a problem of its own, and not the end of all other questions. */
async function examine<Patient>(check: Check<Patient>, patient: Patient): Promise<Verdict> {
  try {
    return await check.examine(patient);
  } catch (error) {
    return problem(`this could not be asked: ${error instanceof Error ? error.message : error}`);
  }
}

/** A few of many, and how many more there are. */
export function some(examples: readonly string[], total = examples.length): string {
  const shown = examples.slice(0, examplesMax);
  const more = total - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more.toLocaleString("en-US")} more` : shown.join(", ");
}

export const examplesMax = 3;
