// The limits of the console's input, bundled as plain values.
import { inputLimits, snippetLimits } from "./contract.macro.ts" with { type: "macro" };

/** The largest and smallest values that the service accepts. */
export const limits = inputLimits();
/** The limits of snippets and their texts. */
export const textLimits = snippetLimits();
