// deploy/compose.yaml in containers: docker-compose talks to podman's API, as there is no daemon.
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { copyLibraries, copyProgram, importRoot } from "./container-roots.ts";
import { read } from "./deploy-files.ts";
import type { Podman } from "./podman.ts";
import { freePort, type Outcome, root, runToEnd } from "./program.ts";

const postgresUser = 999;
const serverPrograms = ["initdb", "postgres", "pg_dump", "pg_restore", "psql", "pg_isready"];
const shellPrograms = ["sh", "date", "find", "grep", "ls", "mv", "rm", "sleep", "sort", "sync", "tail"];

/** Starts PostgreSQL as the image of the Compose file does. */
const startScript = `#!/bin/sh
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  echo "$POSTGRES_PASSWORD" >/tmp/password
  initdb --username="$POSTGRES_USER" --pwfile=/tmp/password --auth=scram-sha-256 --encoding=UTF8 --locale=C --no-sync
  echo "create database $POSTGRES_DB" | postgres --single postgres
  echo "host all all all scram-sha-256" >>"$PGDATA/pg_hba.conf"
fi
exec postgres -c "listen_addresses=*" -c unix_socket_directories=
`;

/** Makes an image of the PostgreSQL that is installed on this machine. @param tools the directory of its programs @returns its name */
export async function makePostgresImage(podman: Podman, tools: string): Promise<string> {
  const image = join(podman.directory, "postgres");
  const data = "/var/lib/postgresql/data";
  const configuration = Bun.spawnSync([join(tools, "pg_config"), "--sharedir", "--pkglibdir"]).stdout.toString();
  for (const directory of configuration.trim().split("\n")) {
    mkdirSync(join(image, directory), { recursive: true });
    Bun.spawnSync(["cp", "--recursive", "--dereference", `${directory}/.`, join(image, directory)]);
  }
  const programs = [
    ...serverPrograms.map((name) => join(tools, name)),
    ...shellPrograms.map((name) => Bun.which(name) ?? name),
  ];
  for (const path of programs) {
    copyProgram(image, path, serverPrograms.includes(basename(path)) ? path : `/bin/${basename(path)}`);
    copyLibraries(image, path);
  }
  writeFileSync(join(image, "bin/start"), startScript, { mode: 0o755 });
  for (const directory of ["/tmp", data, "/etc"]) mkdirSync(join(image, directory), { recursive: true });
  writeFileSync(join(image, "etc/passwd"), `postgres:x:${postgresUser}:${postgresUser}::/tmp:/bin/sh\n`);
  chmodSync(join(image, "tmp"), 0o1777);
  chownSync(join(image, data), postgresUser, postgresUser);
  const name = "localhost/postgres";
  await importRoot(podman, image, name, [
    ...["--change", 'ENTRYPOINT ["/bin/start"]'],
    ...["--change", `ENV PATH=/usr/local/bin:/bin:${tools}`, "--change", `ENV PGDATA=${data}`],
  ]);
  return name;
}

export interface Composed {
  /** The ports with the metrics of each node, for `Podman.reach`. */
  readonly metricsPorts: readonly number[];
  /** Runs docker-compose to its end. */
  readonly compose: (...words: readonly string[]) => Promise<Outcome>;
  readonly stop: () => Promise<void>;
}

/** Prepares the Compose file for these images, and starts podman's API. @param settings lines of `.env` */
export async function prepareCompose(
  podman: Podman,
  images: { readonly node: string; readonly postgres: string },
  settings: readonly string[],
): Promise<Composed> {
  const directory = join(podman.directory, "compose");
  mkdirSync(directory);
  const metricsPorts = [freePort(), freePort(), freePort()];
  const subnet = `172.30.${1 + (process.pid % 250)}.`;
  const text = read("deploy/compose.yaml")
    .replace(/^name: .*$/m, "")
    .replace(/^ +build: .*$/m, "")
    .replace(/image: commonplace:.*/, `image: ${images.node}`)
    .replaceAll(/image: postgres:.*/g, `image: ${images.postgres}`)
    .replaceAll("172.30.80.", subnet)
    .replaceAll(/127\.0\.0\.1:946(\d):/g, (_, digit) => `127.0.0.1:${metricsPorts[digit - 4]}:`)
    // What podman's API does not know. Instead of a file system in memory, nodes get a volume.
    .replace(/^ +tmpfs:\n +- \/data:.*\n/m, "")
    .replace(/driver: local\n.*$/m, "driver: k8s-file")
    .replaceAll(/:uid=\d+,gid=\d+,mode=\d+/g, ":mode=1777");
  writeFileSync(join(directory, "compose.yaml"), text);
  writeFileSync(join(directory, ".env"), settings.join("\n"));
  copyFileSync(join(root, "deploy/postgres-backup"), join(directory, "postgres-backup"));
  const socket = join(podman.directory, "podman.sock");
  const service = Bun.spawn([...podman.enter, "podman", "system", "service", "--time", "0", `unix://${socket}`], {
    env: { ...process.env, ...podman.environment },
    stdout: "ignore",
    stderr: "ignore",
  });
  while (!existsSync(socket)) await Bun.sleep(20);
  const compose = (...words: readonly string[]) =>
    runToEnd(
      ["docker-compose", "--project-name", "commonplace", ...words],
      { ...podman.environment, DOCKER_HOST: `unix://${socket}` },
      directory,
    );
  return {
    metricsPorts,
    compose,
    stop: async () => {
      await compose("down", "--volumes", "--timeout", "1");
      service.kill();
      await service.exited;
    },
  };
}
