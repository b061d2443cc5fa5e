// The limits of the console's input, bundled as plain values.
import { inputLimits } from "./contract.macro.ts" with { type: "macro" };

/** The largest and smallest values that the service accepts. */
export const limits = inputLimits();
