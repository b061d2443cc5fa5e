// The promises that `npm run prove` proves, in the order of docs/proofs.md, which says how each is proved, and what is not.
import type { Promised } from "./proof.ts";

export const promises: readonly Promised[] = [];
