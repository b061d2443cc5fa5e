// The thread for small files of formats. `FormatThread` starts it.
import { writeOneFile } from "./library/export/one-file.ts";
import type { FormatThreadAnswer, FormatThreadTask } from "./library/format-thread.ts";
import { readFiles } from "./library/formats/formats.ts";
import { ReadError } from "./library/formats/read-error.ts";
import { serveTasks } from "./platform/serve-tasks.ts";

serveTasks((task: FormatThreadTask): FormatThreadAnswer => {
  try {
    return task.kind === "read"
      ? { kind: "read", result: readFiles([task.file], task.request) }
      : { kind: "written", file: writeOneFile(task.format, task.tree) };
  } catch (error) {
    if (error instanceof ReadError) return { kind: "refused", message: error.message, place: error.place };
    return { kind: "failed", cause: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
});
