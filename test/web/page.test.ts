// The console's page and its files, as they go over the wire.
import "../support/once.ts";
import { beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";

import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { type BuiltFile, buildConsole } from "../../src/console/build-pages.ts";
import { builtPages } from "../../src/console/built-pages.ts";
import { startConsole } from "../support/console.ts";
import { temporaryRoot } from "../support/temporary-root.ts";

const bundling = 30_000;
let files: readonly BuiltFile[];
beforeAll(async () => {
  files = await buildConsole();
}, bundling);

const scripts = () => files.filter(({ name }) => name.endsWith(".js"));
const named = (pattern: RegExp, among = files): BuiltFile => {
  const file = among.find(({ name }) => pattern.test(name));
  if (!file) throw new Error(`nothing is called ${pattern}`);
  return file;
};

describe("the bundle", () => {
  test("is small: what the sign-in page and the library need stays below 200 KB of scripts, compressed", async () => {
    // What a script imports before it runs; what it fetches later is not named so.
    const needs = (file: BuiltFile): string[] =>
      [...new TextDecoder().decode(file.bytes).matchAll(/(?:from|import)\s*"\/console\/assets\/([^"]+)"/g)].map(
        ([, name]) => name ?? "",
      );
    const needed = new Set([named(/^main-\w+\.js$/), named(/^part-library-/), named(/^part-sign-in-/)]);
    for (const file of needed)
      for (const name of needs(file)) needed.add(named(new RegExp(`^${RegExp.escape(name)}$`)));
    const bytes = [...needed].reduce((sum, file) => sum + Bun.gzipSync(file.bytes).length, 0);
    expect(needed.size).toBeGreaterThan(3);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(200_000);
  });

  test("is the same every time, wherever the service was started, and each file's name tells its content", async () => {
    const here = process.cwd();
    try {
      for (const directory of [here, "/", import.meta.dir]) {
        process.chdir(directory);
        const again = await buildConsole();
        expect(again.map(({ name }) => name)).toEqual(files.map(({ name }) => name));
        expect(again.every(({ bytes }, place) => Buffer.from(bytes).equals(files[place]?.bytes ?? Buffer.of()))).toBe(
          true,
        );
      }
    } finally {
      process.chdir(here);
    }
    expect(files.map(({ name }) => name).filter((name) => !/^[\w-]+-\w{6,}\.(js|css|txt)$/.test(name))).toEqual([]);
  });

  test("that cannot be made says for the log what is wrong, and where", async () => {
    const directory = await mkdtemp(join(temporaryRoot(), "pages-"));
    const page = join(directory, "page.tsx");
    await Bun.write(page, 'export const page = 1;\nimport "./missing.tsx";\n');
    const failure = await buildConsole([page]).catch((error: unknown) => error);
    await rm(directory, { recursive: true });
    expect(String(failure)).toContain(`${page}:2:8: Could not resolve: "./missing.tsx"`);
  });

  test("has nothing of the service's checks in it, and no path of the machine that made it", () => {
    const text = scripts()
      .map(({ bytes }) => new TextDecoder().decode(bytes))
      .join("\n");
    for (const stranger of [
      "ZodError",
      "better-auth",
      "COMMONPLACE_DATABASE_URL",
      import.meta.dir.replace(/\/test\/web$/, ""),
      "node_modules/",
    ])
      expect(text).not.toContain(stranger);
  });

  test("names the licences of all that is in it", () => {
    const text = new TextDecoder().decode(named(/^licenses-/).bytes);
    for (const name of ["react", "react-dom", "radix-ui", "@radix-ui/react-dialog", "@tanstack/react-query", "wouter"])
      expect(text).toContain(`\n${name} `);
    for (const name of ["tailwindcss", "get-nonce", "uqr", "scheduler", "@floating-ui/dom"])
      expect(text).toContain(`\n${name} `);
    expect(text).toContain("Permission is hereby granted, free of charge");
    expect(text).not.toContain("undefined");
  });
});

describe("the page", () => {
  test("is never kept, and allows scripts and styles of this service alone", async () => {
    const { origin, fetch } = await startConsole();
    for (const path of ["", "/", "/sign-in", "/w/anything/keys"]) {
      const { status, headers } = await fetch(`${origin}/console${path}`);
      expect(status).toBe(200);
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("content-security-policy")).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w+/]{22}=='; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
      );
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("referrer-policy")).toBe("same-origin");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  test("has another nonce each time, and the one that its policy names", async () => {
    const { origin, fetch } = await startConsole();
    const read = async () => {
      const answer = await fetch(`${origin}/console`);
      const [, inPage] = /<meta name="style-nonce" content="([^"]+)">/.exec(await answer.text()) ?? [];
      const [, inPolicy] = /'nonce-([^']+)'/.exec(answer.headers.get("content-security-policy") ?? "") ?? [];
      expect(inPage).toBe(inPolicy ?? "none");
      return inPage;
    };
    expect(await read()).not.toBe(await read());
  });

  test("names files that are there, and nothing is written by anybody else", async () => {
    const { origin, fetch } = await startConsole();
    const text = await (await fetch(`${origin}/console?x=<script>`)).text();
    const paths = [...text.matchAll(/"(\/console\/assets\/[^"]+)"/g)].map(([, path]) => path);
    expect(paths).toHaveLength(3);
    for (const path of paths) expect((await fetch(origin + path)).status).toBe(200);
    expect(text).not.toContain("<script>");
  });

  test("is only read", async () => {
    const { origin, fetch } = await startConsole();
    const { status, headers } = await fetch(`${origin}/console`, { method: "POST" });
    expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    const head = await fetch(`${origin}/console`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });
});

describe("a file", () => {
  test("is kept for good, and comes as the client can read it", async () => {
    const { origin, fetch } = await startConsole();
    const { name, bytes } = named(/^main-\w+\.js$/, await builtPages());
    const get = (coding: string) =>
      fetch(`${origin}/console/assets/${name}`, { headers: { "Accept-Encoding": coding }, decompress: false });
    const decoders = {
      br: (body: Buffer) => brotliDecompressSync(body),
      gzip: (body: Buffer) => Bun.gunzipSync(new Uint8Array(body)),
      identity: (body: Buffer) => body,
    } as const;
    for (const [coding, decode] of Object.entries(decoders)) {
      const answer = await get(coding);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-encoding")).toBe(coding === "identity" ? null : coding);
      expect(answer.headers.get("vary")).toBe("Accept-Encoding");
      expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(answer.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      const body = decode(Buffer.from(await answer.arrayBuffer()));
      expect(Buffer.from(body).equals(Buffer.from(bytes))).toBe(true);
    }
    expect((await get("gzip, br")).headers.get("content-encoding")).toBe("br");
    expect((await get("gzip;q=1, br;q=0")).headers.get("content-encoding")).toBe("gzip");
  });

  test("that is not there is not found, whatever its name", async () => {
    const { origin, fetch } = await startConsole();
    for (const name of ["", "main.js", "main-00000000.js", "..%2f..%2fpackage.json", "constructor", "__proto__"])
      expect((await fetch(`${origin}/console/assets/${name}`)).status).toBe(404);
  });
});
