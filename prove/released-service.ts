// A service on the upgraded database of a released version: it says what the service of that version said, and it writes.
import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { fromSource, serve } from "../test/support/program.ts";
import { environmentOf, type Fault } from "./planted-fault.ts";
import { type Answers, readAnswers } from "./released.ts";

/** Starts the program with these faults on the database of a data directory, and stops it again. @throws if it answers otherwise */
export async function serveReleased(version: string, dataDirectory: string, faults: readonly Fault[]): Promise<void> {
  const settings = {
    COMMONPLACE_DATA_DIRECTORY: dataDirectory,
    // The rows are from the past: no job may delete what has ended since.
    COMMONPLACE_TRASH_DAYS: "forever",
    ...environmentOf(faults),
  };
  await using service = await serve(settings, [], fromSource);
  await expectAnswers(readAnswers(version), service.baseUrl, readFileSync(service.ca, "utf8"));
}

/** @throws unless the service at this address has what the release's service had, lets its people in, and writes */
export async function expectAnswers(answers: Answers, baseUrl: string, ca: string): Promise<void> {
  const send = (url: string | URL, init: RequestInit = {}) => fetch(url, { ...init, tls: { ca } });
  const headers = { Authorization: `Bearer ${answers.key}` };
  for (const snippet of answers.snippets) {
    const response = await send(`${baseUrl}/snippet?id=${snippet.id}`, { headers });
    expect(await response.json()).toMatchObject({ success: true, data: snippet });
  }
  const body = JSON.stringify({ tagName: "After the upgrade", tagColor: "#336699", teamId: answers.teamId });
  expect((await send(`${baseUrl}/tag`, { method: "POST", headers, body })).status).toBe(200);
  const { email, password } = answers;
  const signedIn = await send(new URL("/console/auth/sign-in/email", baseUrl), {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: new URL(baseUrl).origin },
    body: JSON.stringify({ email, password }),
  });
  expect(signedIn.status).toBe(200);
}
