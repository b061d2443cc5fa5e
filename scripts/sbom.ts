// Writes dist/commonplace.cdx.json: all packages of the service with versions, licenses, and checksums, in the format CycloneDX.
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lockedPackages } from "./third-party.ts";

interface Component {
  readonly "bom-ref": string;
  name: string;
  type: string;
  readonly version: string;
  readonly purl: string;
  licenses?: readonly { readonly license: { readonly id: string } }[];
}

export interface Bom {
  serialNumber?: string;
  readonly metadata: { readonly component: Component; timestamp?: string };
  components: readonly Component[];
  dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const root = join(import.meta.dir, "..");
const path = "dist/commonplace.cdx.json";

/**
 * The list of all packages of the service.
 * @param date an ISO timestamp, for a list that is the same each time: it replaces the time, and the number is derived from the list
 */
export function readSbom(date?: string): Bom {
  // With --omit=dev, npm also leaves out packages of the service that a package for development needs too, such as zod.
  const asked = ["--sbom-format=cyclonedx", "--sbom-type=application", "--package-lock-only"];
  const listed = Bun.spawnSync(["npm", "sbom", ...asked], { cwd: root, stderr: "inherit" });
  if (!listed.success) throw new Error(`npm sbom ended with ${listed.exitCode}`);
  const bom = JSON.parse(listed.stdout.toString()) as Bom;
  // npm takes the name of the directory.
  bom.metadata.component.name = "commonplace";
  keepShipped(bom);
  if (date !== undefined) {
    bom.metadata.timestamp = date;
    delete bom.serialNumber;
    bom.serialNumber = `urn:uuid:${uuidOf(JSON.stringify(bom))}`;
  }
  return bom;
}

function keepShipped(bom: Bom): void {
  const shipped = lockedPackages().filter(({ isForDevelopment }) => !isForDevelopment);
  const shippedIds = new Set(shipped.map(({ name, version }) => `${name}@${version}`));
  bom.components = bom.components.filter(({ purl }) =>
    shippedIds.has(decodeURIComponent(purl).replace("pkg:npm/", "")),
  );
  const refs = new Set([bom.metadata.component, ...bom.components].map((component) => component["bom-ref"]));
  bom.dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }));
  const licenses = new Map(shipped.map(({ name, license }) => [name, license]));
  for (const component of bom.components)
    component.licenses ??= [{ license: { id: licenses.get(component.name) ?? "unknown" } }];
}

/** A UUID of version 8, whose bits are those of a checksum. */
function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}

if (import.meta.main) {
  const bom = readSbom();
  mkdirSync(join(root, "dist"), { recursive: true });
  writeFileSync(join(root, path), `${JSON.stringify(bom, null, 2)}\n`);
  console.log(`${bom.components.length} packages in ${path} (CycloneDX)`);
}
