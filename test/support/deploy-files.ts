// What the tests of the files in deploy/ read and know.
import { test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { settings } from "../../src/config/settings.ts";
import { root } from "./program.ts";

export const read = (path: string): string => readFileSync(join(root, path), "utf8");
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever stands there, and asserts on it.
export const yaml = (path: string): any => Bun.YAML.parse(read(path));

const defaultOf = (name: string): string => settings.find((setting) => setting.name === name)?.default ?? "";
export const [httpsPort, httpPort] = [
  Number(defaultOf("COMMONPLACE_HTTPS_PORT")),
  Number(defaultOf("COMMONPLACE_HTTP_PORT")),
];

/** The longest shutdown after SIGTERM, drain included. */
export const shutdownSeconds = 15;

/** Skips the test if the tool is not installed, and says so in its title. */
export function withTool(tool: string, title: string, run: () => Promise<void>): void {
  const isInstalled = Bun.which(tool) !== null;
  test.skipIf(!isInstalled)(isInstalled ? title : `${title} (skipped: ${tool} is not installed)`, run);
}
