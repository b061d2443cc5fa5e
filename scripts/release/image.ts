// The container image, for amd64 and arm64, as an archive in the format of the Open Container Initiative: the C library and the executable.
import { createHash } from "node:crypto";
import manifest from "../../package.json" with { type: "json" };
import type { Artifact } from "./artifact.ts";
import { licenseFiles, readText } from "./documents.ts";
import { gzip } from "./gzip.ts";
import { libcEntries } from "./libc.ts";
import type { Source } from "./source.ts";
import { type Entry, tar, textFile } from "./tar.ts";

/** The user of the container, as in the Dockerfile. */
const user = 65_532;
const nanoseconds = 1_000_000_000;

/** What a container is started with: the same as in the Dockerfile. */
const containerConfig = {
  User: `${user}:${user}`,
  ExposedPorts: { "8080/tcp": {}, "8443/tcp": {} },
  // The first start creates no API key: the image has no shell to read the file with.
  Env: ["COMMONPLACE_DATA_DIRECTORY=/data", "COMMONPLACE_FIRST_KEY=off", "COMMONPLACE_HOST=0.0.0.0"],
  Entrypoint: ["/commonplace"],
  Cmd: ["serve"],
  Volumes: { "/data": {} },
  WorkingDir: "/",
  Healthcheck: {
    Test: ["CMD", "/commonplace", "health"],
    Interval: 10 * nanoseconds,
    Timeout: 6 * nanoseconds,
    StartPeriod: 20 * nanoseconds,
    Retries: 3,
  },
} as const;

/** Names that the C library looks up, and the directories that the service writes to. */
const baseEntries: readonly Entry[] = [
  textFile("etc/passwd", `root:x:0:0:root:/:/none\nnonroot:x:${user}:${user}:nonroot:/:/none\n`),
  textFile("etc/group", `root:x:0:\nnonroot:x:${user}:\n`),
  textFile("etc/nsswitch.conf", "hosts: files dns\n"),
  { path: "data", mode: 0o700, owner: user },
  { path: "tmp", mode: 0o1777 },
];

export interface ImagePart {
  readonly architecture: "amd64" | "arm64";
  readonly executable: Uint8Array;
}

/** @param directory for what is unpacked on the way */
export async function makeImage(source: Source, parts: readonly ImagePart[], directory: string): Promise<Artifact> {
  const blobs = new Blobs();
  const manifests = [];
  for (const { architecture, executable } of parts) {
    const base = [...baseEntries, ...(await libcEntries(architecture, directory))];
    const program: Entry[] = [
      { path: "commonplace", bytes: executable, mode: 0o755 },
      ...licenseFiles.map((name) => textFile(name, readText(name))),
    ];
    const layers = [base, program].map((entries) => blobs.addLayer(tar(entries, source.date)));
    manifests.push(addManifest(blobs, source, architecture, layers));
  }
  const index = blobs.addJson(indexType, { schemaVersion: 2, mediaType: indexType, manifests });
  const reference = `localhost/commonplace:${source.version}`;
  // The first is for Docker and podman, the second for tools that know only the standard.
  const name = { "io.containerd.image.name": reference, "org.opencontainers.image.ref.name": reference };
  const entries = [
    textFile("oci-layout", JSON.stringify({ imageLayoutVersion: "1.0.0" })),
    textFile("index.json", JSON.stringify({ schemaVersion: 2, manifests: [{ ...index, annotations: name }] })),
    ...blobs.entries(),
  ];
  return { name: `commonplace_${source.version}_oci.tar`, bytes: tar(entries, source.date) };
}

const vendor = "application/vnd.oci.image";
const indexType = `${vendor}.index.v1+json`;

function addManifest(blobs: Blobs, source: Source, architecture: string, layers: readonly Layer[]) {
  const created = new Date(source.date * 1_000).toISOString();
  const labels = {
    "org.opencontainers.image.title": "Commonplace",
    "org.opencontainers.image.description": manifest.description,
    "org.opencontainers.image.licenses": manifest.license,
    "org.opencontainers.image.version": source.version,
    "org.opencontainers.image.revision": source.commit,
  };
  const config = blobs.addJson(`${vendor}.config.v1+json`, {
    created,
    architecture,
    os: "linux",
    config: { ...containerConfig, Labels: labels },
    rootfs: { type: "layers", diff_ids: layers.map(({ diffId }) => diffId) },
  });
  const mediaType = `${vendor}.manifest.v1+json`;
  const described = blobs.addJson(mediaType, {
    schemaVersion: 2,
    mediaType,
    config,
    layers: layers.map(({ descriptor }) => descriptor),
  });
  return { ...described, platform: { architecture, os: "linux" } };
}

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

interface Layer {
  readonly descriptor: Descriptor;
  /** The digest before it was compressed. */
  readonly diffId: string;
}

const digestOf = (bytes: Uint8Array): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

/** The parts of an image by their digests. */
class Blobs {
  readonly #bytes = new Map<string, Uint8Array>();

  addLayer(archive: Uint8Array): Layer {
    return { descriptor: this.#add(`${vendor}.layer.v1.tar+gzip`, gzip(archive)), diffId: digestOf(archive) };
  }

  addJson(mediaType: string, value: object): Descriptor {
    return this.#add(mediaType, new TextEncoder().encode(JSON.stringify(value)));
  }

  entries(): Entry[] {
    return [...this.#bytes].map(([digest, bytes]) => ({
      path: `blobs/${digest.replace(":", "/")}`,
      bytes,
      mode: 0o644,
    }));
  }

  #add(mediaType: string, bytes: Uint8Array): Descriptor {
    const digest = digestOf(bytes);
    this.#bytes.set(digest, bytes);
    return { mediaType, digest, size: bytes.length };
  }
}
