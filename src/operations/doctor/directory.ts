// The checks of the data directory, of the files with secrets and texts, and of the disk.
import { accessSync, constants, existsSync, type Stats, statfsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Config } from "../../config.ts";
import { formatAmount } from "../format.ts";
import { secretFiles } from "../secret-files.ts";
import { type Check, listSome, ok, problem, warning } from "./check.ts";

const freeBytesMin = { problem: 100e6, warning: 1e9 };

/** File system types of `statfs` for disks of other machines, on which SQLite's shared memory does not work. */
const networkDisks: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB"],
  [0x517b, "SMB"],
]);

export const directoryChecks: readonly Check<Config>[] = [
  {
    name: "data directory",
    question: "Does the data directory exist, and is it private?",
    remedy: "Run chmod 700 on it, and chown it to the user of the service.",
    examine: (config) => {
      const path = resolve(config.dataDirectory);
      const stats = statSync(path, { throwIfNoEntry: false });
      if (!stats) return ok(`${path} will be created on first startup`);
      if (!stats.isDirectory())
        return problem(`${path} is not a directory`, { remedy: "Set COMMONPLACE_DATA_DIRECTORY to a directory." });
      if (!isWritable(path)) return problem(`${path} is not writable by this user`);
      const open = openTo(stats);
      if (open === undefined) return ok(`${path}, mode ${modeOf(stats)}`);
      // The directory of a container may be open to all as long as it holds no secrets.
      const isHarmful = open === "everyone" && privateFiles(config).some((file) => existsSync(file));
      return (isHarmful ? problem : warning)(`${path} is open to ${open} (mode ${modeOf(stats)})`);
    },
  },
  {
    name: "files",
    question: "Are the files with secrets and snippets private to the owner of the data directory?",
    remedy: "Run chmod 600 on them, and chown them to the owner of the data directory.",
    examine: (config) => {
      const files = privateFiles(config).flatMap((path) => {
        const stats = statSync(path, { throwIfNoEntry: false });
        return stats ? [{ path, stats }] : [];
      });
      if (files.length === 0) return ok("none yet");
      const directory = statSync(config.dataDirectory, { throwIfNoEntry: false });
      const name = (found: typeof files) => listSome(found.map(({ path, stats }) => `${path} (${modeOf(stats)})`));
      const foreign = files.filter(({ stats }) => directory && stats.uid !== directory.uid);
      if (foreign.length > 0) return problem(`owned by another user: ${name(foreign)}`);
      const open = files.filter(({ stats }) => openTo(stats));
      // Files are out of reach for users who may not enter the directory.
      const isReached = !directory || openTo(directory) === "everyone";
      if (open.length > 0) return (isReached ? problem : warning)(`readable by others: ${name(open)}`);
      return ok(
        `${files.length} ${files.length === 1 ? "file" : "files"} with secrets or snippets, private to the owner`,
      );
    },
  },
  {
    name: "disk",
    question: "Is there free disk space?",
    remedy:
      "Free up space or move to a larger disk. With SQLite, requests that write fail with 503 when the disk is full.",
    examine: (config) => {
      const disk = statfsSync(nearestExisting(dataPathOf(config)));
      const free = disk.bavail * disk.bsize;
      const message = `${formatAmount(free, "bytes")} free of ${formatAmount(disk.blocks * disk.bsize, "bytes")}`;
      return (free < freeBytesMin.problem ? problem : free < freeBytesMin.warning ? warning : ok)(message);
    },
  },
  {
    name: "disk type",
    question: "Is the SQLite database on a local disk?",
    remedy: "Move it to a local disk, or switch to PostgreSQL. On a network disk, SQLite can lose data.",
    examine: (config) => {
      if (config.database.engine === "postgres") return ok("not applicable: the data is in PostgreSQL");
      const network = networkDisks.get(statfsSync(nearestExisting(dataPathOf(config))).type);
      return network === undefined ? ok("local") : problem(`the database is on a network disk (${network})`);
    },
  },
];

const dataPathOf = ({ dataDirectory, database }: Config): string =>
  database.engine === "sqlite" ? dirname(resolve(database.path)) : resolve(dataDirectory);

function privateFiles({ dataDirectory, database, instanceKey }: Config): string[] {
  const names = ["tls/localhost.key", ...Object.values(secretFiles)];
  const secrets = [...names.map((name) => join(dataDirectory, name)), instanceKey.path];
  return database.engine === "sqlite"
    ? [...["", "-wal", "-shm"].map((end) => database.path + end), ...secrets]
    : secrets;
}

/** The path itself, or its nearest parent that exists. */
const nearestExisting = (path: string): string => (existsSync(path) ? path : nearestExisting(dirname(path)));

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Who else may read or change it. */
const openTo = ({ mode }: Stats): "everyone" | "its group" | undefined =>
  mode & 0o007 ? "everyone" : mode & 0o070 ? "its group" : undefined;

const modeOf = ({ mode }: Stats): string => `0${(mode & 0o777).toString(8)}`;
