// The worker that reads the files of formats. `FormatProcesses` starts it; it ends after one task.
import { yieldToService } from "../../platform/worker-process.ts";
import type { FormatId } from "../formats/format-ids.ts";
import { type ReadRequest, readFiles } from "../formats/formats.ts";
import { ReadError } from "../formats/read-error.ts";
import type { TableSample } from "../formats/table-sample.ts";
import type { Place, Warning } from "../formats/tree.ts";

/** The first line of the input. The file follows. */
export interface FormatTask {
  readonly path: string;
  readonly bytes: number;
  readonly request: ReadRequest;
}

/** Lines of the output of a reading worker. */
export type ReadLine =
  | { readonly kind: "folders" | "tags" | "snippets"; readonly items: readonly never[] }
  | { readonly kind: "places"; readonly items: readonly Place[] }
  | { readonly kind: "problems" | "warnings"; readonly items: readonly Warning[] }
  | { readonly kind: "end"; readonly format: FormatId; readonly table?: TableSample | undefined }
  | { readonly kind: "failure"; readonly message: string; readonly place?: Place | undefined };

const lineLength = 64 * 1024;

/** The worker itself. */
export async function runFormatWorker(): Promise<void> {
  yieldToService();
  const input = await Bun.stdin.bytes();
  const lineEnd = input.indexOf(10);
  const task: FormatTask = JSON.parse(Buffer.from(input.subarray(0, lineEnd)).toString());
  const rest = input.subarray(lineEnd + 1);
  const output = Bun.stdout.writer();
  const send = async (line: string | Uint8Array) => {
    output.write(line);
    await output.flush();
  };
  await read(task, rest, send);
  await output.end();
}

type Send = (line: string | Uint8Array) => Promise<void>;

async function read({ path, bytes, request }: FormatTask, file: Uint8Array, send: Send): Promise<void> {
  if (file.length !== bytes) throw new Error("the input ended before it was complete");
  const line = (value: ReadLine) => send(`${JSON.stringify(value)}\n`);
  try {
    const { format, table, tree, places, problems, warnings } = readFiles([{ path, bytes: file }], request);
    for (const [kind, items] of Object.entries({ ...tree, places, problems, warnings }))
      await sendItems(kind, items, send);
    await line({ kind: "end", format, table });
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    await line({ kind: "failure", message: error.message, place: error.place });
  }
}

/** In lines of bounded length, so that the reader can do other work in between. */
async function sendItems(kind: string, items: readonly unknown[], send: Send): Promise<void> {
  let [texts, length]: [string[], number] = [[], 0];
  const flush = async () => {
    if (texts.length > 0) await send(`{"kind":${JSON.stringify(kind)},"items":[${texts.join(",")}]}\n`);
    [texts, length] = [[], 0];
  };
  for (const item of items) {
    const text = JSON.stringify(item);
    texts.push(text);
    length += text.length;
    if (length >= lineLength) await flush();
  }
  await flush();
}
