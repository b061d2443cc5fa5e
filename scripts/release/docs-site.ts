// The documentation as a site, for any web server: the same files that the service has at /docs.
import { buildDocs } from "../../site/build.ts";
import type { Artifact } from "./artifact.ts";
import { gzip } from "./gzip.ts";
import type { Source } from "./source.ts";
import { tar, textFile } from "./tar.ts";

export async function docsSite({ version, date }: Pick<Source, "version" | "date">): Promise<Artifact> {
  const directory = `commonplace-docs-${version}`;
  const entries = (await buildDocs()).map(({ path, text }) => textFile(path, text));
  return { name: `${directory}.tar.gz`, bytes: gzip(tar(entries, date, `${directory}/`)) };
}
