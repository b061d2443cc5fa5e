// Paging by cursor: the parameters of a list, and where its next page begins as text that means nothing to the client.
import { errors } from "./errors.ts";
import { limits } from "./limits.ts";
import { limitParameter, type QueryParameter } from "./query.ts";

/** Where a page begins. `library/cursor.ts` reads it, because only the rule knows the list that it has to belong to. */
const cursorParameter: QueryParameter<string | undefined> = {
  aliases: [],
  description: "`pagination.nextCursor` of the previous page. Omit it for the first page.",
  schema: { type: "string" },
  isRequired: false,
  whenAbsent: () => undefined,
  parse: (text) => {
    if (text === "") throw errors.cursorInvalid();
    return text;
  },
};

/** `limit` and `cursor` for one page of a list of `items`. */
export const cursorParameters = (items: string) => ({
  limit: limitParameter(
    limits.pageItemsDefault,
    `Maximum number of ${items} to return. You can change it between pages.`,
  ),
  cursor: cursorParameter,
});
