// A disk whose power can be cut: ext4 on a loop device, which its own ioctl shuts down without writing what is not on the disk yet.
import { dlopen, FFIType, ptr } from "bun:ffi";
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { temporaryRoot } from "../test/support/temporary-root.ts";

export interface LoopDisk {
  /** Where it is mounted. */
  readonly path: string;
  /** Writes everything to the disk. */
  readonly sync: () => void;
  /** From now on, nothing reaches the disk, and what had not reached it is lost. */
  readonly cutPower: () => void;
  /** Mounts it again, after everything that used it has ended. */
  readonly restorePower: () => Promise<void>;
  /** Leaves no space on it, until `free`. */
  readonly fill: () => void;
  readonly free: () => void;
}

/** FS_IOC_SHUTDOWN, _IOR('X', 125, __u32). */
const shutdownRequest = 0x8004587d;
/** Neither file data nor the file system's own log are written. */
const withoutFlush = 2;
const unmountMilliseconds = 20_000;
const fillerBytes = 4_194_304;

/** Why this machine cannot have such a disk; undefined if it can. */
export function missingForLoopDisk(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "needs root on Linux";
  const missing = ["mkfs.ext4", "mount", "umount"].find((name) => Bun.which(name) === null);
  return missing && `needs ${missing}`;
}

/** A disk that is unmounted and removed when this process ends, however it ends. */
export function makeLoopDisk(megabytes: number): LoopDisk {
  const directory = mkdtempSync(join(temporaryRoot(), "commonplace-prove-disk-"));
  // PostgreSQL runs as its own user, who must be able to enter the directory.
  chmodSync(directory, 0o755);
  const [image, path] = [join(directory, "image"), join(directory, "disk")];
  mkdirSync(path);
  removeAfterwards(directory, path);
  const mount = () => runOrThrow("mount", "-o", "loop", image, path);
  runOrThrow("truncate", "-s", `${megabytes}M`, image);
  runOrThrow("mkfs.ext4", "-q", image);
  mount();
  chmodSync(path, 0o755);
  return {
    path,
    sync: () => runOrThrow("sync", "-f", path),
    cutPower: () => shutDown(path),
    restorePower: async () => {
      const until = performance.now() + unmountMilliseconds;
      // Processes that were killed may still be ending.
      while (run("umount", path).exitCode !== 0) {
        if (performance.now() > until) throw new Error(`something still uses ${path}`);
        await Bun.sleep(20);
      }
      mount();
    },
    fill: () => fill(join(path, "filler")),
    free: () => rmSync(join(path, "filler"), { force: true }),
  };
}

/** Writes a file that grows until not even a byte more fits. */
function fill(filler: string): void {
  const file = openSync(filler, "a");
  for (let bytes = fillerBytes; bytes >= 1; )
    try {
      if (writeSync(file, Buffer.alloc(bytes)) < bytes) bytes = Math.floor(bytes / 2);
    } catch {
      bytes = Math.floor(bytes / 2);
    }
  closeSync(file);
}

function shutDown(path: string): void {
  const { symbols } = dlopen("libc.so.6", {
    ioctl: { args: [FFIType.i32, FFIType.u64, FFIType.ptr], returns: FFIType.i32 },
  });
  const file = openSync(path, "r");
  const failed = symbols.ioctl(file, shutdownRequest, ptr(new Uint32Array([withoutFlush])));
  closeSync(file);
  if (failed !== 0) throw new Error("this kernel cannot shut down an ext4 file system");
}

const run = (...words: string[]) => Bun.spawnSync(words, { stderr: "pipe" });

function runOrThrow(...words: string[]): void {
  const { exitCode, stderr } = run(...words);
  if (exitCode !== 0) throw new Error(`${words.join(" ")}: ${stderr}`);
}

/** A shell of its own process group waits for the end of this process, then for the end of all that uses the disk. */
function removeAfterwards(directory: string, path: string): void {
  const script = `cat > /dev/null
    for attempt in $(seq 100); do
      mountpoint -q "$1" || break
      umount "$1" 2> /dev/null || sleep 0.2
    done
    mountpoint -q "$1" && umount -l "$1"
    rm -rf "$0"`;
  Bun.spawn(["sh", "-c", script, directory, path], {
    stdin: "pipe",
    stdout: "ignore",
    stderr: "ignore",
    detached: true,
  }).unref();
}
