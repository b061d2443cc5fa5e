// Finds secrets that were committed by mistake: those of this service, and those of others that scanners know by their form.
import { secretForm, secretPrefixes } from "../src/platform/secrets/secrets.ts";

export interface FoundSecret {
  readonly line: number;
  readonly kind: string;
}

interface SecretKind {
  readonly kind: string;
  readonly form: RegExp;
  /** What has the form, but is none. */
  readonly is?: (text: string) => boolean;
}

/** Ours have a checksum, so an invented one in an example is not taken for a secret. */
const ownKinds = (["apiKey", "accessToken"] as const).map((name) => ({
  kind: name === "apiKey" ? "API key" : "access token",
  form: new RegExp(`\\b${secretPrefixes[name]}[0-9A-Za-z]{38}\\b`, "g"),
  is: secretForm(secretPrefixes[name]).is,
}));

const kinds: readonly SecretKind[] = [
  ...ownKinds,
  { kind: "private key", form: /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s+[0-9A-Za-z+/=]{16}/g },
  { kind: "age key", form: /\bAGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}\b/g },
  { kind: "AWS access key", form: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g },
  { kind: "GitHub token", form: /\b(?:gh[opusr]_[0-9A-Za-z]{36}|github_pat_[0-9A-Za-z_]{82})\b/g },
  { kind: "GitLab token", form: /\bglpat-[0-9A-Za-z_-]{20}\b/g },
  { kind: "npm token", form: /\bnpm_[0-9A-Za-z]{36}\b/g },
  { kind: "Slack token", form: /\bxox[abprs]-[0-9A-Za-z-]{20,}/g },
  { kind: "Stripe key", form: /\b(?:sk|rk)_live_[0-9A-Za-z]{16,}/g },
  { kind: "webhook secret", form: /\bwhsec_[0-9A-Za-z+/]{32,}/g },
  { kind: "Google API key", form: /\bAIza[0-9A-Za-z_-]{35}\b/g },
  { kind: "OpenAI or Anthropic key", form: /\bsk-(?:proj-|ant-)?[0-9A-Za-z_-]{40,}/g },
  { kind: "password in a URL", form: /\b[a-z]+:\/\/[\w.-]+:(?!PASSWORD@|\$\{|secret@)[^\s/@"'`<>{}$]{8,}@[\w.-]+/g },
];

/** The secrets in a text, by line. */
export const findSecrets = (text: string): FoundSecret[] =>
  kinds.flatMap(({ kind, form, is }) =>
    [...text.matchAll(form)]
      .filter(([found]) => is?.(found) ?? true)
      .map(({ index }) => ({ line: text.slice(0, index).split("\n").length, kind })),
  );
