// The rule of each operation. The files collected here export rules and nothing else.
import type { OperationName } from "../contract/operations.ts";
import type { Handlers } from "./call.ts";
import * as exports from "./exports.ts";
import * as changes from "./feed/feed.ts";
import * as folders from "./folders.ts";
import * as imports from "./imports.ts";
import * as search from "./search/search.ts";
import * as shortcuts from "./shortcuts.ts";
import * as snippets from "./snippets.ts";
import * as tags from "./tags.ts";
import * as teams from "./teams.ts";
import * as trash from "./trash.ts";
import * as variationLists from "./variation-lists.ts";
import * as variations from "./variations.ts";

/** Compiles only where each operation has its rule, and where each rule has its operation. */
const collect = <Rules extends Handlers>(rules: Rules & Record<Exclude<keyof Rules, OperationName>, never>): Handlers =>
  rules;

export const handlers = collect({
  ...snippets,
  ...variations,
  ...folders,
  ...tags,
  ...teams,
  ...shortcuts,
  ...variationLists,
  ...search,
  ...trash,
  ...imports,
  ...exports,
  ...changes,
});
