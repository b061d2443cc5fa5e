// Bundles what the pages load: scripts, styles, and the icon. A browser may keep each forever, because its name contains a hash of its content.
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };
import type { Assets } from "./layout.ts";

/** A file of the site. All of them are text. */
export interface SiteFile {
  /** Below the site's address, such as `operate/backup/index.html`. */
  readonly path: string;
  readonly text: string;
}

const here = (name: string): string => join(import.meta.dir, name);

export async function bundleAssets(): Promise<{ readonly assets: Assets; readonly files: readonly SiteFile[] }> {
  const { outputs } = await Bun.build({
    entrypoints: ["client/theme.ts", "client/main.ts", "styles.css"].map(here),
    target: "browser",
    minify: true,
    naming: "[name].[ext]",
  });
  const textOf = async (name: string): Promise<string> => {
    const output = outputs.find(({ path }) => path.endsWith(name));
    if (!output) throw new Error(`the bundle has no ${name}`);
    return output.text();
  };
  const license = await Bun.file(here("../node_modules/minisearch/LICENSE.txt")).text();
  const [theme, script, styles, icon] = [
    hashed("theme.js", await textOf("theme.js")),
    hashed(
      "main.js",
      `/*! MiniSearch ${manifest.dependencies.minisearch}\n${license.trim()} */\n${await textOf("main.js")}`,
    ),
    hashed("styles.css", await textOf("styles.css")),
    hashed("icon.svg", await Bun.file(here("icon.svg")).text()),
  ];
  return {
    assets: { theme: theme.path, script: script.path, styles: styles.path, icon: icon.path },
    files: [theme, script, styles, icon],
  };
}

function hashed(name: string, text: string): SiteFile {
  const [base, ending] = name.split(".");
  return { path: `assets/${base}-${Bun.hash(text).toString(36)}.${ending}`, text };
}
