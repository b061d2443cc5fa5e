// Types that the components of this page share.
import type { DataOf, RowOf } from "../../api.ts";

export type ApiKey = RowOf<"getKeys">;
export type KeyWithSecret = DataOf<"postKey">;
export type KeyTeams = "all" | string[];
