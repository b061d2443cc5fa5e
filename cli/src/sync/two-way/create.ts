// Makes snippets and variations of new files, many with one request.
import { InvalidRequestError, NotFoundError } from "../../../../sdk/src/index.ts";
import { mainField } from "../../../../src/library/formats/markdown.ts";
import { type Document, render } from "./document.ts";
import type { LocalFile } from "./match.ts";
import type { PendingItem } from "./state.ts";
import { keep, refused, type Work, warnOfShortcut } from "./work.ts";

/** A file that becomes a snippet or a variation. */
export interface NewFile {
  readonly local: LocalFile;
  readonly document: Document;
}

/** What one request takes: the service's limit, and far less text than a request can have. */
const requestMax = { items: 100, characters: 1_000_000 };

/** Creates what the files say. What the service refuses is a problem of its file. */
export async function createAll(work: Work, files: readonly NewFile[]): Promise<void> {
  for (const batch of batchesOf(files.filter(({ local }) => !local.isFurther))) await createBatch(work, batch, null);
  for (const file of files) {
    if (!file.local.isFurther) continue;
    const of = snippetOf(work, file.document);
    if (of !== undefined) await createBatch(work, [file], of);
    else {
      const message = `the field "${mainField}" is "${String(file.document.fields[mainField])}", which is not the file of a snippet in this folder`;
      work.outcome.problems.push({ path: file.local.file.path, message });
    }
  }
}

function batchesOf(files: readonly NewFile[]): NewFile[][] {
  const batches: NewFile[][] = [];
  let characters = 0;
  for (const file of files) {
    const last = batches.at(-1);
    characters += file.document.text.length;
    if (last && last.length < requestMax.items && characters <= requestMax.characters) last.push(file);
    else {
      batches.push([file]);
      characters = file.document.text.length;
    }
  }
  return batches;
}

/** Its key is stored before it is sent: an interrupted request is sent again under the same key, and nothing is doubled. */
async function createBatch(work: Work, batch: readonly NewFile[], of: string | null): Promise<void> {
  const { known, files, newKey, now } = work;
  const items = batch.map(({ local, document }) => ({ path: local.file.path, document }));
  known.setPending({ key: newKey(), of, items, at: now().toISOString() });
  const isWhole = await sendPending(work);
  // Where no item of several is accepted, the refusal names only one of them.
  if (!isWhole && batch.length > 1) for (const file of batch) await createBatch(work, [file], of);
  if (!isWhole) return;
  for (const { local, document } of batch) {
    const { path, content, hash } = local.file;
    const id = idAt(work, path);
    // A copy of a file has the ID of the other one.
    const rendered = local.id === undefined || id === undefined ? content : render(path, content, id, document);
    if (rendered !== content && !files.write(path, rendered, hash)) work.outcome.isAgain = true;
  }
}

const idAt = ({ known }: Work, path: string): string | undefined =>
  known.state.entries.find((entry) => entry.path === path)?.id;

/** The snippet whose variation the file is. */
function snippetOf(work: Work, { fields }: Document): string | undefined {
  const name = String(fields[mainField]);
  return idAt(work, fields.folder === "" ? name : `${String(fields.folder)}/${name}`);
}

/** A create can be sent again under its key for a day. */
const pendingHoursMax = 23;

/** @returns false if the request was refused as a whole */
export async function sendPending(work: Work): Promise<boolean> {
  const { known, library, outcome, now } = work;
  const { pending } = known.state;
  if (!pending) return true;
  const { key, of, items, at } = pending;
  if (now().getTime() - Date.parse(at) > pendingHoursMax * 3_600_000) {
    // If it was carried out, the files are recognized by what they say.
    known.setPending(null);
    return false;
  }
  try {
    const results = await library.create(
      items.map(({ document }) => document),
      of,
      key,
    );
    for (const [index, item] of items.entries()) settle(work, item, of, results[index]);
    known.setPending(null);
    return true;
  } catch (error) {
    if (error instanceof InvalidRequestError || error instanceof NotFoundError) known.setPending(null);
    const [only] = items;
    if (items.length > 1 && error instanceof InvalidRequestError) return false;
    refused(outcome, only?.path ?? "", error);
    return false;
  }
}

function settle(work: Work, { path, document }: PendingItem, of: string | null, result?: string | { message: string }) {
  const { outcome } = work;
  if (typeof result === "string") {
    keep(work, { id: result, of }, path, document);
    outcome.add(of === null ? "created" : "added", path);
    warnOfShortcut(work, result, path, document);
  } else if (result) outcome.problems.push({ path, message: result.message });
}
