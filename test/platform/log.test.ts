// The log as a person reads it. Its JSON form is tested with the service: api/server.test.ts and operations/serve.test.ts.
import "../support/once.ts";
import { expect, test } from "bun:test";
import { createLog, type LogLevel } from "../../src/platform/log.ts";

function textLog(level: LogLevel = "info", isTTY = false, format: "text" | "auto" = "text") {
  let text = "";
  const output = {
    isTTY,
    write: (chunk: string | Uint8Array) => {
      text += chunk;
      return true;
    },
  };
  const log = createLog(level, { format, output });
  const lines = () => {
    log.flush();
    return text.trimEnd().split("\n");
  };
  return { log, lines };
}

const request = {
  method: "GET",
  path: "/api/snippet",
  operation: "getSnippet",
  status: 200,
  units: 1,
  durationMilliseconds: 1.25,
};

test("a request is one aligned line with time, level, method, path, status and duration", () => {
  const { log, lines } = textLog();
  log.write("info", "request", request);
  log.write("info", "request", {
    ...request,
    method: "DELETE",
    status: 404,
    code: "snippet_not_found",
    durationMilliseconds: 1_234,
  });
  log.write("error", "request", { ...request, status: 500, durationMilliseconds: 31.4 });
  expect(lines().map((line) => line.replace(/^\d\d:\d\d:\d\d/, "12:00:00"))).toEqual([
    "12:00:00  info   GET    /api/snippet                    200    1.3 ms",
    "12:00:00  info   DELETE /api/snippet                    404    1.23 s  snippet_not_found",
    "12:00:00  error  GET    /api/snippet                    500     31 ms",
  ]);
});

test("an event is a sentence with its fields, and a stack stands below it", () => {
  const { log, lines } = textLog();
  log.write("warn", "certificate expires soon", { file: "a.pem", expiresAt: new Date(0), none: undefined });
  log.write("error", "request failed", { requestId: "1", cause: "Error: x\n    at y" });
  expect(lines().map((line) => line.replace(/^\d\d:\d\d:\d\d/, "12:00:00"))).toEqual(
    [
      'warn   Certificate expires soon  file=a.pem  expiresAt="1970-01-01T00:00:00.000Z"',
      "error  Request failed  requestId=1",
    ].flatMap((line, index) => [`12:00:00  ${line}`, ...(index === 1 ? ["    Error: x", "        at y"] : [])]),
  );
});

test("what is routine is left out, unless the level is debug", () => {
  const routine = (level: LogLevel) => {
    const { log, lines } = textLog(level);
    log.write("debug", "request", { ...request, operation: undefined, path: "/healthz" });
    log.write("info", "request", { ...request, operation: undefined, path: "/console/assets/page.js" });
    log.write("info", "request", {
      ...request,
      operation: undefined,
      path: "/console/api/session",
      status: 401,
      code: "sign_in_required",
    });
    log.write("info", "job finished", { job: "totals" });
    log.write("info", "request", { ...request, operation: undefined, method: "POST", path: "/console/api/key" });
    return lines();
  };
  expect(routine("info")).toEqual([expect.stringContaining("POST   /console/api/key")]);
  expect(routine("debug")).toHaveLength(5);
});

test("control characters of a client never reach the terminal, and secrets are redacted", () => {
  const { log, lines } = textLog("info", true);
  const secret = `cpl_${"a".repeat(38)}`;
  log.write("info", "request", { ...request, path: `/api/\u001b[2J${secret}`, status: 404 });
  expect(lines()).toEqual([expect.stringContaining("/api/\uFFFD[2J")]);
  expect(lines()[0]).not.toContain(secret);
});

test("without a terminal the format is JSON, and in one it is text", () => {
  const written = (isTTY: boolean) => {
    const { log, lines } = textLog("info", isTTY, "auto");
    log.write("info", "request", request);
    return lines().join("\n");
  };
  expect(JSON.parse(written(false))).toMatchObject({ level: "info", message: "request", ...request });
  expect(written(true)).toContain("\u001b[32m200\u001b[0m");
});

test("lines that nobody reads are left out beyond 8 MiB, and a line says how many once they are read", () => {
  const written: { text: string; isDone: () => void }[] = [];
  const output = {
    isTTY: false,
    write: (text: string, isDone: () => void) => written.push({ text, isDone }) > 0,
  };
  const log = createLog("info", { format: "json", output });
  const line = "x".repeat(64 * 1024);
  for (let count = 0; count < 200; count += 1) log.write("info", line);
  const kept = written.length;
  expect(written.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(9 * 1024 * 1024);
  expect(kept).toBeGreaterThan(100);
  for (const { isDone } of written) isDone();
  log.write("error", "read again");
  expect(written.length).toBe(kept + 1);
  const lines = written.at(-1)?.text.trimEnd().split("\n");
  expect(lines?.map((text) => JSON.parse(text))).toEqual([
    { time: expect.any(String), level: "warn", message: "log lines were dropped", lines: 200 - kept },
    { time: expect.any(String), level: "error", message: "read again" },
  ]);
});
