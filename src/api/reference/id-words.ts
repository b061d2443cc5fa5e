// Words in place of IDs in the requests and samples of the reference.
import { type OperationName, operations } from "../../contract/operations.ts";
import { isUuid } from "../../contract/uuid.ts";

/** Replaces the IDs in the value of a field. */
export type IdReplacer = (field: string, value: unknown) => unknown;

/** Each ID becomes a word made from the name of its field, such as `FOLDER_ID`, or `FOLDER_ID_2` if it is the second. */
export function idReplacer(name: OperationName): IdReplacer {
  const known = new Map<string, string[]>();
  const noun = operations[name].path.split("/")[1]?.replace(/s$/, "") ?? "";
  const wordFor = (field: string, id: string): string => {
    const singular = /^ids?$/.test(field) ? `${noun}Id` : field.replace(/s$/, "");
    const word = singular.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
    const ids = known.get(word) ?? [];
    known.set(word, ids);
    if (!ids.includes(id)) ids.push(id);
    const position = ids.indexOf(id);
    return position === 0 ? word : `${word}_${position + 1}`;
  };
  const replace: IdReplacer = (field, value) => {
    if (typeof value === "string") return isUuid(value) ? wordFor(field, value) : value;
    if (Array.isArray(value)) return value.map((item) => replace(field, item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replace(key, inner)]));
  };
  return replace;
}

/** The same for a list in a query. */
export const replaceInList = (replace: IdReplacer, name: string, list: string): string =>
  list
    .split(",")
    .map((item) => replace(name, item))
    .join(",");
