// Makes snippets and variations of new files.
import { InvalidRequestError, NotFoundError } from "../../../../sdk/src/index.ts";
import { type Document, render } from "./document.ts";
import type { Case } from "./match.ts";
import { keep, refused, type Work } from "./work.ts";

/** Its key is stored before it is sent: an interrupted create is sent again under the same key, and is not doubled. */
export async function create(work: Work, { local }: Case, document: Document): Promise<void> {
  const { known, outcome, files, newKey, now } = work;
  if (!local) return;
  const { path, content, hash } = local.file;
  const of = local.isFurther ? snippetOf(work, document) : null;
  if (of === undefined) {
    outcome.problems.push({ path, message: `no snippet has the file "${String(document.fields.of)}" in this folder` });
    return;
  }
  known.setPending({ key: newKey(), path, of, document, at: now().toISOString() });
  const id = await sendPending(work);
  if (id === undefined) return;
  const rendered = local.id === undefined ? content : render(path, content, id, document);
  if (rendered !== content && !files.write(path, rendered, hash)) outcome.isAgain = true;
}

/** The snippet whose variation the file is. */
function snippetOf({ known }: Work, { fields }: Document): string | undefined {
  const path = fields.folder === "" ? fields.of : `${String(fields.folder)}/${String(fields.of)}`;
  return known.state.entries.find((entry) => entry.of === null && entry.path === path)?.id;
}

/** A create can be sent again under its key for a day. */
const pendingHoursMax = 23;

/** @returns the ID; undefined if nothing is pending, or the service refuses it */
export async function sendPending(work: Work): Promise<string | undefined> {
  const { known, library, outcome, now } = work;
  const { pending } = known.state;
  if (!pending) return undefined;
  const { key, path, of, document, at } = pending;
  if (now().getTime() - Date.parse(at) > pendingHoursMax * 3_600_000) {
    // If it was carried out, the file is recognized by what it says.
    known.setPending(null);
    return undefined;
  }
  try {
    const id = await library.create(document, of, key);
    keep(work, { id, of }, path, document);
    known.setPending(null);
    outcome.add(of === null ? "created" : "added", path);
    return id;
  } catch (error) {
    if (error instanceof InvalidRequestError || error instanceof NotFoundError) known.setPending(null);
    refused(outcome, path, error);
    return undefined;
  }
}
