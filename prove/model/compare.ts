// Compares a response with what the model expects, and learns which of the service's IDs stands for which of the model's.
import type { Response, Texts } from "./state.ts";

/** A response as a client received it. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const nameOf = /~(?:\d{6}\^?|cursor\d+)/g;

/** The service's IDs and cursors by the model's names. */
export class Names {
  readonly #known = new Map<string, string>();
  readonly #taken = new Set<string>();

  /** @throws Error if the value stands for something else already */
  learn(name: string, value: string): void {
    if (!name.startsWith("~cursor")) {
      if (this.#taken.has(value)) throw new Error(`${value} stands for another ID already, not for ${name}`);
      this.#taken.add(value);
    }
    this.#known.set(name, value);
  }
  get = (name: string): string | undefined => this.#known.get(name);

  /** Text for the service: each of the model's names is replaced. */
  translate = (text: string): string =>
    text.replace(nameOf, (name) => {
      const value = this.#known.get(name.replace("^", "")) ?? name;
      return name.endsWith("^") ? value.toUpperCase() : value;
    });

  translateAll = (texts: Texts): Texts =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, this.translate(text)]));

  /** @throws Error that says where the two differ */
  match(expected: unknown, received: unknown, place: string): void {
    if (typeof expected === "function") {
      if (!(expected as (value: unknown) => boolean)(received))
        throw new Error(`${place}: ${show(received)} cannot be`);
    } else if (typeof expected === "string" && expected.startsWith("~")) this.#matchName(expected, received, place);
    else if (typeof expected !== "object" || expected === null) {
      if (expected !== received) throw new Error(`${place}: ${show(received)} instead of ${show(expected)}`);
    } else {
      if (typeof received !== "object" || received === null || Array.isArray(expected) !== Array.isArray(received))
        throw new Error(`${place}: ${show(received)} instead of ${show(expected)}`);
      for (const name of Object.keys(received))
        if (!(name in expected)) throw new Error(`${place}.${name}: ${show((received as never)[name])} is too much`);
      for (const [name, value] of Object.entries(expected))
        this.match(value, (received as never)[name], `${place}.${name}`);
    }
  }

  #matchName(name: string, received: unknown, place: string): void {
    const known = this.#known.get(name.replace("^", ""));
    if (known !== undefined) {
      const expected = name.endsWith("^") ? known.toUpperCase() : known;
      if (received !== expected)
        throw new Error(`${place}: ${show(received)} instead of ${name}, which is ${expected}`);
    } else if (typeof received !== "string" || !(name.startsWith("~cursor") || uuid.test(received)))
      throw new Error(`${place}: ${show(received)} instead of a new ID`);
    else this.learn(name, received);
  }

  /** Compares status, body, and the headers that the model knows. */
  matchResponse(expected: Response, received: Received): void {
    const { status, headers } = expected;
    const isJson = received.headers.get("content-type")?.startsWith("application/json") === true;
    const body = isJson ? JSON.parse(received.text) : received.text;
    if (status !== received.status)
      throw new Error(`status ${received.status} instead of ${status}: ${received.text.slice(0, 500)}`);
    const requestId = received.headers.get("x-request-id") ?? "";
    if (!uuid.test(requestId)) throw new Error(`x-request-id: ${requestId}`);
    this.match(expected.body, body, "body");
    for (const [name, value] of Object.entries(headers)) {
      const found = received.headers.get(name);
      // The version in an ETag may be one that no response has named yet.
      if (name === "etag") this.match(String(value).slice(1, -1), found?.replace(/^W\//, "").slice(1, -1), name);
      else this.match(String(value), found, name);
    }
  }
}

const show = (value: unknown): string => (JSON.stringify(value) ?? "nothing").slice(0, 200);
