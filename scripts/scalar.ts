// The script of the reference page: Scalar, taken from the package on which it is pinned, with its license at the top.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import fastifyPlugin from "@scalar/fastify-api-reference";

/** The path of the compressed script, from the project's root. */
export const scalarPath = "src/api/reference/scalar.js.br";

/**
 * The script as the package has it. Scalar's plugin for Fastify carries all of it as one string and serves it from a route; it installs
 * 21 MB, where the package that it comes from installs 287.
 */
export function scalarScript(): string {
  const main = createRequire(import.meta.url).resolve("@scalar/fastify-api-reference");
  const folder = dirname(dirname(main));
  const license = readFileSync(join(folder, "LICENSE"), "utf8").trim();
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
  return `/*! Scalar API reference ${version}\n${license} */\n${servedScript().replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n")}`;
}

/** Compresses as small as it gets, which takes some seconds. */
export const compressScript = (script: string): Uint8Array => brotliCompressSync(script);

/** Of a missing file too, whose bytes are none. */
export const decompressScript = (compressed: Uint8Array): string =>
  compressed.length === 0 ? "" : brotliDecompressSync(compressed).toString();

interface Route {
  readonly url: string;
  readonly handler: (request: unknown, reply: unknown) => unknown;
}

/** What the plugin's route for the script sends. */
function servedScript(): string {
  const routes: Route[] = [];
  const server = { hasPlugin: () => false, initialConfig: {}, route: (route: Route) => routes.push(route) };
  // The plugin's types need those of Fastify, which is not installed; it registers routes and asks for nothing else.
  (fastifyPlugin as unknown as (server: object, options: object, done: () => void) => void)(
    server,
    { routePrefix: "/", configuration: { url: "openapi.json" } },
    () => {},
  );
  let sent = "";
  const reply = {
    header: () => reply,
    send: (body: string) => {
      sent = body;
      return reply;
    },
  };
  routes.find(({ url }) => url.endsWith(".js"))?.handler({}, reply);
  if (sent === "") throw new Error("the package of Scalar has no script");
  return sent;
}
