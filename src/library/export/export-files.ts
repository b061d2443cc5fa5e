// The files of exports: each is written by a process of its own, which reads the team from one state of the database, and is sent while it
// grows. A slow client keeps a file, but neither the process nor the state of the database.
import { errors } from "../../contract/errors.ts";
import type { ExportNotes } from "../../contract/export-warnings.ts";
import { bytesPerMebibyte, limits } from "../../contract/limits.ts";
import { absoluteLocation, type DatabaseLocation } from "../../platform/database/location.ts";
import type { Owner, QueueState } from "../../platform/fair-queue.ts";
import { FairSlots } from "../../platform/fair-slots.ts";
import { InFlight } from "../../platform/in-flight.ts";
import { queueLimits } from "../../platform/queue-limits.ts";
import { freeBytes, UnnamedFile } from "../../platform/unnamed-file.ts";
import {
  databaseEnvironment,
  jsonLines,
  runWorker,
  WorkerExceeded,
  type WorkerLimits,
} from "../../platform/worker-process.ts";
import type { FormatThread } from "../format-thread.ts";
import type { FormatId } from "../formats/format-ids.ts";
import type { Tree } from "../formats/tree.ts";
import type { ExportLine, ExportTask } from "./export-worker.ts";
import { exportWorkerCommand } from "./export-worker-command.ts";
import type { OneFile } from "./one-file.ts";

const processesMax = 2;
const processesOfWorkspaceMax = 1;
/** How long an export waits for its turn. */
const waitMilliseconds = 15_000;
/** How long it takes at most to find out how much there is to export. */
const headSeconds = 90;
/** How long a client waits for the beginning of an export. */
export const exportWaitSeconds = 120;
const retryAfterSeconds = 5;
const diskRetryAfterSeconds = 60;
const pieceBytes = 128 * 1024;

interface ExportLimits extends WorkerLimits {
  readonly freeBytesMin: number;
}

export const exportLimits: ExportLimits = {
  seconds: 15 * 60,
  memoryBytesMax: 512 * bytesPerMebibyte,
  outputBytesMax: 16 * bytesPerMebibyte,
  // A file is not begun where it could leave less free: the database may be on the same disk.
  freeBytesMin: 256 * bytesPerMebibyte,
};

interface ExportSettings {
  readonly database: DatabaseLocation;
  /** Where the files are. */
  readonly dataDirectory: string;
}

/** A file that is written as soon as its request is charged. */
export interface ExportFile extends ExportNotes {
  readonly name: string;
  /** What is charged. */
  readonly texts: number;
  /** The content. It fails where the rest of the file cannot be written. */
  readonly pieces: () => AsyncGenerator<Uint8Array, void>;
  /** Called in any case, when the file was sent or is not wanted. */
  readonly end: () => void;
}

export class ExportFiles {
  readonly #settings: ExportSettings;
  readonly #report: (cause: unknown) => void;
  readonly #limits: ExportLimits;
  readonly #slots = new FairSlots("exports", processesMax, queueLimits.exports, processesOfWorkspaceMax);
  readonly #disk: InFlight;
  readonly #thread: FormatThread | undefined;

  /**
   * @param report receives the cause if a file cannot be completed
   * @param thread writes the files of small teams; without it, processes write all
   */
  constructor(settings: ExportSettings, report: (cause: unknown) => void, given = exportLimits, thread?: FormatThread) {
    this.#settings = settings;
    this.#report = report;
    this.#limits = given;
    this.#thread = thread;
    const bytes = limits.exportBytesMax;
    this.#disk = new InFlight({ total: 2 * bytes, workspace: bytes, key: bytes }, Number.POSITIVE_INFINITY);
  }

  get state(): QueueState {
    return this.#slots.state;
  }

  /** @returns the file of a small team, or undefined if a process has to write it */
  async writeSmall(owner: Owner, format: FormatId, tree: Tree): Promise<OneFile | undefined> {
    return this.#thread?.write(owner, format, tree);
  }

  /**
   * Finds out how much there is to export. Nothing is written before the pieces are asked for.
   * @throws Refusal 400 where it is too much; 503 where too many exports are being written, or the disk has no room
   */
  async begin(
    owner: Owner,
    { workspaceId, teamId, format }: Pick<ExportTask, "workspaceId" | "teamId" | "format">,
  ): Promise<ExportFile> {
    const release = await this.#slots.acquire(owner, waitMilliseconds);
    if (typeof release === "string") throw errors.busy(retryAfterSeconds);
    const ending = new AbortController();
    const releases = new Set([release]);
    /** Each once. */
    const give = (each: () => void) => {
      if (releases.delete(each)) each();
    };
    const end = () => {
      ending.abort();
      for (const each of releases) give(each);
    };
    try {
      const file = this.#createFile();
      releases.add(() => file.close());
      const database = absoluteLocation(this.#settings.database);
      const task = { database, workspaceId, teamId, format, milliseconds: this.#limits.seconds * 1_000 };
      const charged = Promise.withResolvers<void>();
      const worker = runWorker(exportWorkerCommand, inputOf(task, charged.promise), this.#limits, {
        file: file.descriptor,
        environment: databaseEnvironment(),
        signal: ending.signal,
        firstOutputSeconds: headSeconds,
      });
      const lines = jsonLines(worker) as AsyncGenerator<ExportLine, undefined>;
      const { value: head } = await lines.next();
      if (head?.kind !== "head") throw refusalOf(head, format);
      const room = this.#disk.reserve(owner, head.bytesMax);
      if (!room) throw errors.busy(retryAfterSeconds);
      releases.add(room);
      if (freeBytes(this.#settings.dataDirectory) - head.bytesMax < this.#limits.freeBytesMin)
        throw errors.exportDiskFull(diskRetryAfterSeconds);
      const pieces = () => {
        charged.resolve();
        // What is left to do then does not need the process.
        return piecesOf(file, lines, (failure) => {
          if (failure !== undefined && !ending.signal.aborted) this.#report(failure);
          give(release);
        });
      };
      const { name, texts, warnings, codeCount } = head;
      return { name, texts, warnings, codeCount, pieces, end };
    } catch (error) {
      end();
      throw error instanceof WorkerExceeded ? tooLarge(format) : error;
    }
  }

  /** @throws Refusal 503 where the directory takes no file */
  #createFile(): UnnamedFile {
    try {
      return new UnnamedFile(this.#settings.dataDirectory);
    } catch (error) {
      this.#report(error);
      throw errors.exportDiskFull(diskRetryAfterSeconds);
    }
  }
}

async function* inputOf(task: ExportTask, charged: Promise<void>): AsyncGenerator<string, void> {
  yield `${JSON.stringify(task)}\n`;
  await charged;
  yield `${JSON.stringify({ isCharged: true })}\n`;
}

function refusalOf(line: ExportLine | undefined, format: FormatId): Error {
  if (line?.kind !== "refused") return new Error("a worker process ended without a result");
  if (line.reason === "unavailable") return errors.busy(retryAfterSeconds);
  return tooLarge(format);
}

const tooLarge = (format: FormatId): Error =>
  format === "commonplace" ? errors.exportTooLarge() : errors.exportFormatTooLarge();

/** Follows the file while it grows. @param onWritten called when the process has ended */
async function* piecesOf(
  file: UnnamedFile,
  lines: AsyncGenerator<ExportLine, undefined>,
  onWritten: (failure: unknown) => void,
): AsyncGenerator<Uint8Array, void> {
  let [written, isComplete] = [0, false];
  let changed = Promise.withResolvers<void>();
  const follow = async () => {
    try {
      for await (const line of lines) {
        if (line.kind === "refused") throw new Error(line.reason);
        if (line.kind === "head") continue;
        written = line.bytes;
        isComplete = line.kind === "end";
        changed.resolve();
        changed = Promise.withResolvers();
      }
      if (!isComplete) throw new Error("its process ended early");
      onWritten(undefined);
    } catch (error) {
      onWritten(error);
      throw error;
    }
  };
  const following = follow();
  // Whoever reads the pieces finds out.
  following.catch(() => undefined);
  for (let position = 0; ; ) {
    // A step that was reported meanwhile has changed `written`.
    if (position === written) {
      if (isComplete) break;
      await Promise.race([changed.promise, following]);
      continue;
    }
    const piece = await file.read(position, Math.min(pieceBytes, written - position));
    if (piece.length === 0) throw new Error("an export is shorter than was written");
    position += piece.length;
    yield piece;
  }
  await following;
}
