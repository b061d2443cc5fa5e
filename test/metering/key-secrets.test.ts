// No key can be recovered from anything that is stored or printed (decisions, Keys).
import { describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { newSecret } from "../../src/metering/keys/secret.ts";
import { redactSecrets } from "../../src/platform/secrets/secrets.ts";
import { filesIn, placesWith } from "../support/canaries.ts";
import { engine } from "../support/engine.ts";
import { spawnService } from "../support/process.ts";
import { temporaryDirectory, text } from "../support/service.ts";
import { exchange, openTls, requestText } from "../support/sockets.ts";

const never = "00000000-0000-7000-8000-000000000000";

describe("no key can be recovered from anything stored or printed", () => {
  /** Both halves of a key's secret part: the prefix and 4 characters may be shown. */
  const found = (secret: string, places: Readonly<Record<string, Buffer>>): string[] =>
    placesWith([secret.slice(8, 24), secret.slice(24)], places);

  test("the search finds a key in each form", () => {
    const secret = newSecret();
    for (const form of [
      `xx${secret}xx`,
      Buffer.from(`x${secret}`).toString("hex"),
      Buffer.from(`Basic ${secret}:`).toString("base64"),
      Buffer.from(`a${secret}`).toString("base64"),
      Buffer.from(`ab${secret}c`).toString("base64url"),
    ])
      expect(found(secret, { file: Buffer.from(form) })).toEqual(["file"]);
    expect(found(secret, { file: Buffer.from(newSecret()) })).toEqual([]);
  });

  test("keys sent through every path are in no file or table and in no line of the log", async () => {
    const dataDirectory = temporaryDirectory();
    const service = await spawnService(dataDirectory, { COMMONPLACE_LOG_LEVEL: "debug", COMMONPLACE_HTTP_PORT: "off" });
    const valid = service.announced.key ?? "";
    const team = service.announced.team_id ?? "";
    const canaries = [valid, newSecret()];
    const statuses = new Set<number>();
    for (const key of canaries) {
      const client = { Authorization: `Bearer ${key}` };
      const repeatable = () => ({ ...client, "Idempotency-Key": `${key}${crypto.randomUUID()}` });
      const send = async (method: string, target: string, headers: Record<string, string> = {}, body?: string) => {
        const answer = await service.fetch(new URL(target, service.baseUrl), {
          method,
          headers,
          ...(body && { body }),
        });
        statuses.add(answer.status);
        await answer.text();
      };
      const [encoded, upper] = [key.replace("_", "%5F"), key.replace("_", "%5f")];
      await send("GET", `/api/snippet?id=${key}`, client);
      await send("GET", `/api/snippet?key=${key}&id=${never}`, client);
      await send("GET", `/api/snippet?${key}`, client);
      for (const path of [
        key,
        `api/${key}`,
        `api/snippet/${encoded}`,
        `${upper}/x`,
        `%2525${encoded}`,
        `x/cpl%255F${key.slice(4)}`,
      ])
        await send("GET", `/${path}`, client);
      await send("PATCH", `/${key}`, client);
      for (const Authorization of [
        `Basic ${key}`,
        `Basic ${Buffer.from(`${key}:`).toString("base64")}`,
        key,
        `Bearer ${key} ${key}`,
        `Bearer ${key}x`,
        `Token ${key}`,
      ])
        await send("GET", "/api/snippet", { Authorization });
      const places = [
        "X-Api-Key",
        "Cookie",
        "User-Agent",
        "Referer",
        "X-Request-Id",
        "X-Forwarded-For",
        "X-Forwarded-Proto",
        "Content-Type",
      ];
      await send("GET", `/api/snippet?id=${never}`, {
        ...client,
        ...Object.fromEntries(places.map((name) => [name, key])),
      });
      await send("POST", "/api/snippet", client, key);
      await send("POST", "/api/snippet", repeatable(), key);
      await send("POST", "/api/snippet", client, JSON.stringify({ [key]: key }));
      await send("POST", "/api/snippet", repeatable(), JSON.stringify({ [key]: key }));
      const good = { tagName: "Good", tagColor: "#fff", teamId: team };
      await send("POST", "/api/tags", repeatable(), JSON.stringify({ tags: [good, { [key]: 1 }] }));
      await send(
        "POST",
        "/api/snippet",
        client,
        JSON.stringify({ title: "", note: key, content: text(key), teamId: team }),
      );
      await send("POST", "/api/tag", client, JSON.stringify({ tagName: key, tagColor: "#fff", teamId: key }));
      await send("PUT", `/api/tags`, client, JSON.stringify({ tags: [{ id: key, tagName: key }] }));
      await send("POST", "/api/tag", client, JSON.stringify(good));
      await exchange(
        await openTls(service.port, { rejectUnauthorized: false }),
        requestText("GET", "/api/snippet", { Host: key, Authorization: `Bearer ${key}` }),
      );
    }
    expect([...statuses].sort()).toEqual([200, 400, 401, 404]);

    const whileRunning = { ...filesIn(dataDirectory), ...(await engine.stored(dataDirectory)) };
    service.kill("SIGTERM");
    expect(await service.ended).toBe(0);

    const log = Buffer.from(service.log());
    const places: Record<string, Buffer> = { ...whileRunning, ...filesIn(dataDirectory), log };
    if (engine.name === "sqlite") expect(Object.keys(whileRunning).some((path) => path.endsWith("-wal"))).toBe(true);
    expect(log.length).toBeGreaterThan(1_000);
    // The file in which a start without a terminal leaves the first key for its operator alone.
    const firstKey = join(dataDirectory, "first-api-key.txt");
    expect(statSync(firstKey).mode & 0o777).toBe(0o600);
    expect(places).toHaveProperty([firstKey]);
    delete places[firstKey];
    for (const key of canaries) expect(found(key, places)).toEqual([]);
    // The search covers the right files: it finds what may be stored.
    const start = Buffer.from(valid.slice(0, 8));
    expect(
      Object.entries(places).some(([place, bytes]) => /commonplace\.db|api_keys/.test(place) && bytes.includes(start)),
    ).toBe(true);
  });

  test("the log takes out whatever looks like a key", () => {
    const secret = newSecret();
    for (const form of [
      secret,
      secret.replace("_", "%5F"),
      secret.replace("_", "%5f"),
      secret.replace("_", "%255F"),
      secret.toUpperCase(),
    ])
      expect(redactSecrets(`"path":"/api/${form}/x"`)).toBe('"path":"/api/cpl_[removed]/x"');
    expect(redactSecrets('{"path":"/api/snippet","keyId":"a_b"}')).toBe('{"path":"/api/snippet","keyId":"a_b"}');
  });
});
