// Writes dist/commonplace.cdx.json: all packages of the service with versions, licenses, and checksums, in the format CycloneDX.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lockedPackages } from "./third-party.ts";

interface Component {
  name: string;
  type: string;
  readonly version: string;
  licenses?: readonly { readonly license: { readonly id: string } }[];
}

interface Bom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
}

const root = join(import.meta.dir, "..");
const path = "dist/commonplace.cdx.json";
const listed = Bun.spawnSync(["npm", "sbom", "--sbom-format=cyclonedx", "--sbom-type=application", "--omit=dev"], {
  cwd: root,
  stderr: "inherit",
});
if (!listed.success) process.exit(1);
const bom = JSON.parse(listed.stdout.toString()) as Bom;
// npm takes the name of the directory.
bom.metadata.component.name = "commonplace";
const licenses = new Map(lockedPackages().map(({ name, license }) => [name, license]));
for (const component of bom.components)
  component.licenses ??= [{ license: { id: licenses.get(component.name) ?? "unknown" } }];
mkdirSync(join(root, "dist"), { recursive: true });
writeFileSync(join(root, path), `${JSON.stringify(bom, null, 2)}\n`);
console.log(`${bom.components.length} packages in ${path} (CycloneDX)`);
