// Podman with a store of its own in the tests' directory, without a daemon, for the tests of the image.
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAllTests } from "./cleanup.ts";
import { copyLibraries, copyProgram, importRoot } from "./container-roots.ts";
import { makeOwnNetwork, type OwnNetwork } from "./own-network.ts";
import { type Outcome, root, runToEnd } from "./program.ts";
import { temporaryDirectory } from "./service.ts";

export interface Podman extends OwnNetwork {
  /** Its store, configuration, and temporary files. */
  readonly directory: string;
  /** For programs that run podman themselves. */
  readonly environment: Readonly<Record<string, string>>;
  /** Runs a command to its end, however it ends. */
  readonly attempt: (...words: readonly string[]) => Promise<Outcome>;
  /** Runs a command. @returns standard output @throws Error with what it printed, if it failed */
  readonly run: (...words: readonly string[]) => Promise<string>;
}

/** Podman, or why there is none. `cannotRun`: it builds images, but this machine does not let it run containers. */
export type FoundPodman =
  | { readonly podman: Podman; readonly cannotRun?: string }
  | { readonly podman?: undefined; readonly cannotRun: string };

/** Open files and processes of a container. The default is more than some machines allow. */
const limit = 4_096;

/** A build takes 20 s alone, and several times as long beside other tests. */
const podmanMilliseconds = 280_000;

let found: Promise<FoundPodman> | undefined;

/** One store for all test files of the process. */
export const findPodman = (): Promise<FoundPodman> => {
  found ??= Bun.which("podman") ? prepare() : Promise.resolve({ cannotRun: "podman is not installed" });
  return found;
};

/**
 * Waits until no other process of the tests uses podman: their stores do not know of each other, but share the machine's firewall. The lock
 * ends with this process, however it ends.
 */
async function waitForTurn(): Promise<void> {
  const lock = join(tmpdir(), "commonplace-podman.lock");
  const keeper = Bun.spawn(["flock", lock, "sh", "-c", "echo locked; cat"], { stdin: "pipe", stdout: "pipe" });
  afterAllTests(() => keeper.stdin.end());
  await keeper.stdout.getReader().read();
}

async function prepare(): Promise<FoundPodman> {
  await waitForTurn();
  const directory = temporaryDirectory();
  const environment = {
    CONTAINERS_CONF: join(directory, "containers.conf"),
    CONTAINERS_STORAGE_CONF: join(directory, "storage.conf"),
    BUILDAH_ISOLATION: "chroot",
    TMPDIR: join(directory, "tmp"),
  };
  for (const name of ["tmp", "run", "networks"]) mkdirSync(join(directory, name));
  writeFileSync(
    environment.CONTAINERS_STORAGE_CONF,
    `[storage]\ndriver = "vfs"\ngraphroot = "${directory}/store"\nrunroot = "${directory}/run"\n`,
  );
  const ownNetwork = await makeOwnNetwork(directory);
  const attempt = (...words: readonly string[]) =>
    // A build needs the network of this machine, and adds none to it.
    runToEnd(
      [...(words[0] === "build" ? [] : ownNetwork.enter), "podman", ...words],
      environment,
      root,
      podmanMilliseconds,
    );
  const podman: Podman = {
    ...ownNetwork,
    directory,
    environment,
    attempt,
    run: async (...words) => {
      const { status, stdout, stderr } = await attempt(...words);
      if (status !== 0) throw new Error(`podman ${words.join(" ")} ended with ${status}:\n${stderr}`);
      return stdout.trim();
    },
  };
  afterAllTests(async () => {
    await attempt("rm", "--all", "--force", "--time", "0");
    await attempt("network", "prune", "--force");
    // Files of other users' containers can only be removed by podman.
    await attempt("system", "reset", "--force");
  });
  return { podman, ...(await findRuntime(podman)) };
}

/** Configures the first runtime that starts a container here. */
async function findRuntime(podman: Podman): Promise<{ cannotRun?: string }> {
  configure(podman, "", "enabled");
  const root = join(podman.directory, "probe");
  copyProgram(root, "/bin/true");
  copyLibraries(root, "/bin/true");
  await importRoot(podman, root, "localhost/probe");
  await podman.run("network", "create", network);
  const failures: string[] = [];
  for (const cgroups of ["enabled", "disabled"])
    for (const runtime of ["crun", "runc"].filter((name) => Bun.which(name))) {
      configure(podman, runtime, cgroups);
      const { status, stderr } = await podman.attempt(
        "run",
        "--rm",
        "--network",
        network,
        "localhost/probe",
        "/bin/true",
      );
      if (status === 0) return {};
      failures.push(stderr.trim().split("\n").at(-1) ?? "");
    }
  return { cannotRun: `podman cannot run containers here: ${failures.join("; ") || "there is no crun or runc"}` };
}

/** The network of the tests' containers; podman gives it addresses that nothing on this machine has. */
export const network = "tests";

function configure({ directory, environment }: Podman, runtime: string, cgroups: string): void {
  writeFileSync(
    environment.CONTAINERS_CONF ?? "",
    `[containers]
cgroups = "${cgroups}"
default_ulimits = ["nofile=${limit}:${limit}", "nproc=${limit}:${limit}"]
log_driver = "k8s-file"
[engine]
${runtime && `runtime = "${runtime}"`}
cgroup_manager = "cgroupfs"
events_logger = "none"
tmp_dir = "${directory}/run/libpod"
image_copy_tmp_dir = "${directory}/tmp"
[network]
network_backend = "netavark"
network_config_dir = "${directory}/networks"
`,
  );
}
