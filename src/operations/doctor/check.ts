// A check of the doctor: the question it asks of its subject, the verdict, and the remedy for what is wrong.
import { formatNumber } from "../format.ts";

export type Severity = "ok" | "warning" | "problem";

/** One question about a subject, such as the settings or the stored data. */
export interface Check<Subject> {
  readonly name: string;
  readonly question: string;
  /** What to do about anything it finds. */
  readonly remedy: string;
  readonly examine: (subject: Subject) => Verdict | Promise<Verdict>;
}

export interface Verdict {
  readonly severity: Severity;
  /** What was found, in one line. */
  readonly message: string;
  /** What to do about it, if not the remedy of the check. */
  readonly remedy?: string;
  /** The checks after this one depend on it and cannot be made. */
  readonly isFinal?: boolean;
}

export interface Finding {
  readonly check: string;
  readonly question: string;
  readonly severity: Severity;
  readonly message: string;
  /** Null when there is nothing to do. */
  readonly remedy: string | null;
}

type VerdictDetails = Pick<Verdict, "remedy" | "isFinal">;

export const ok = (message: string, details: VerdictDetails = {}): Verdict => ({
  severity: "ok",
  message,
  ...details,
});
export const warning = (message: string, details: VerdictDetails = {}): Verdict => ({
  severity: "warning",
  message,
  ...details,
});
export const problem = (message: string, details: VerdictDetails = {}): Verdict => ({
  severity: "problem",
  message,
  ...details,
});

/**
 * Makes the checks in their order, up to the first final verdict.
 * @param onStep called with the name of each check before it is made
 */
export async function examineAll<Subject>(
  checks: readonly Check<Subject>[],
  subject: Subject,
  onStep: (check: string) => void,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) {
    onStep(check.name);
    const verdict = await examine(check, subject);
    findings.push(toFinding(check, verdict));
    if (verdict.isFinal) break;
  }
  return findings;
}

export const toFinding = (
  { name, question, remedy }: Pick<Check<never>, "name" | "question" | "remedy">,
  verdict: Verdict,
): Finding => ({
  check: name,
  question,
  severity: verdict.severity,
  message: verdict.message,
  remedy: verdict.severity === "ok" ? null : (verdict.remedy ?? remedy),
});

/** A check that fails is a problem of its own and does not prevent the others. */
async function examine<Subject>(check: Check<Subject>, subject: Subject): Promise<Verdict> {
  try {
    return await check.examine(subject);
  } catch (error) {
    return problem(`the check failed: ${error instanceof Error ? error.message : error}`);
  }
}

/** The first few examples, and how many more there are. */
export function listSome(examples: readonly string[], total = examples.length): string {
  const shown = examples.slice(0, examplesMax);
  const more = total - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${formatNumber(more)} more` : shown.join(", ");
}

export const examplesMax = 3;
