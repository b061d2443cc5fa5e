// The limits of the table, as the pages need them: put in while they are bundled.
import { inputLimits } from "./routes.macro.ts" with { type: "macro" };

/** The largest and smallest values of what can be typed, as the service checks them. */
export const limits = inputLimits();
