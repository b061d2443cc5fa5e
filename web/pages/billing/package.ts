// A package of units as the service offers it.
import type { DataOf } from "../../api.ts";

export type Package = DataOf<"getBilling">["packages"][number];
