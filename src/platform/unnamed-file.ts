// A file without a name: nobody else can open it, and it is gone as soon as nobody has it open, also after a crash.
import { close, openSync, read, statfsSync, unlinkSync } from "node:fs";
import { join } from "node:path";

export class UnnamedFile {
  readonly descriptor: number;
  #reading: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(directory: string) {
    const path = join(directory, `.${crypto.randomUUID()}.tmp`);
    this.descriptor = openSync(path, "wx+", 0o600);
    unlinkSync(path);
  }

  /** @returns at least one byte, unless the file ends here */
  read(position: number, bytesMax: number): Promise<Uint8Array> {
    const reading = new Promise<Uint8Array>((resolve, reject) => {
      if (this.#isClosed) return reject(new Error("the file is closed"));
      const bytes = new Uint8Array(bytesMax);
      read(this.descriptor, bytes, 0, bytesMax, position, (error, count) =>
        error ? reject(error) : resolve(bytes.subarray(0, count)),
      );
    });
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  /** Its number may be another file's afterwards, so it waits for a read. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    void this.#reading.then(() => close(this.descriptor));
  }
}

export function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}
