// The administration area: what stands below /console, and who answers it. Nothing of it is loaded before somebody asks for it.

import { removeEnded } from "../accounts/people/cleanup.ts";
import { consoleOpenApi } from "../contract/console/openapi.ts";
import { type ConsoleOperationName, consoleOperationNames, consoleOperations } from "../contract/console/operations.ts";
import { errors } from "../contract/errors.ts";
import { keepWarnings } from "../metering/billing/warnings.ts";
import { keepUsage } from "../metering/usage/rounds.ts";
import type { IncomingRequest } from "../platform/http/receive.ts";
import { type OutgoingResponse, refusalResponse } from "../platform/http/respond.ts";
import { answerPage, page } from "../platform/http/static-page.ts";
import { startRounds } from "../platform/jobs.ts";
import { startSender } from "../platform/mail/sender.ts";
import { openTransport } from "../platform/mail/transport.ts";
import { hourSeconds } from "../platform/time.ts";
import { type Administration, administrationPath } from "./administration.ts";
import type { Instance } from "./call.ts";
import { consoleFiles } from "./files.ts";
import { consoleRefusal, dispatchConsole } from "./handle-call.ts";
import { answerElsewhere } from "./other-host.ts";
import { openSignIn } from "./sign-in/sign-in.ts";
import { answerStripeHook, stripeHookPath } from "./stripe-hook.ts";

/** What the console is given. It adds the doors that its handlers need. */
export type Surroundings = Omit<Instance, "signIn">;

const description = page(`${administrationPath}/api/openapi.json`, "application/json", () =>
  JSON.stringify(consoleOpenApi()),
);

export function openConsole(surroundings: Surroundings): Administration {
  const signIn = openSignIn(surroundings);
  const instance: Instance = { ...surroundings, signIn };
  // Work beside the calls: each returns what ends it.
  const stops: (() => Promise<void>)[] = [keepUsage(surroundings), keepClean(surroundings)];
  const { mail } = surroundings.config;
  if (mail) stops.push(startSender({ ...surroundings, send: openTransport(mail) }, surroundings.wait));
  // Where no mail is sent, the pages show how much is used.
  if (mail) stops.push(keepWarnings(surroundings, surroundings.wait));
  const files = consoleFiles(`${new URL(surroundings.baseUrl).pathname.replace(/\/$/, "")}/docs`);
  const routes = makeRoutes();

  const answer = async (incoming: IncomingRequest, requestId: string): Promise<OutgoingResponse> => {
    const path = incoming.path.slice(administrationPath.length);
    if (path === "/api/openapi.json") return answerPage(description, incoming, requestId);
    if (path.startsWith("/api/")) {
      const methods = routes.get(path.slice("/api".length));
      if (!methods) return refusalResponse(errors.pathUnknown(), requestId);
      const name = methods.get(incoming.method);
      if (!name) return refusalResponse(errors.methodNotAllowed([...methods.keys()].join(", ")), requestId);
      return dispatchConsole(instance, name, incoming, await signIn.cookieOf(incoming), requestId);
    }
    if (path === stripeHookPath) return answerStripeHook(instance, incoming, requestId);
    if (path.startsWith("/auth/")) return signIn.answer(incoming, requestId);
    if (incoming.method !== "GET" && incoming.method !== "HEAD")
      return refusalResponse(errors.methodNotAllowed("GET, HEAD"), requestId);
    if (path.startsWith("/assets/")) return files.asset(path.slice("/assets/".length), incoming, requestId);
    return answerElsewhere(instance, incoming, requestId) ?? files.page(incoming, requestId);
  };
  return {
    answer: (incoming, requestId) =>
      answer(incoming, requestId).catch((error: unknown) => consoleRefusal(surroundings, error, requestId)),
    stop: async () => {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}

/** What stands at each path of the table, by method. */
const cleaningFirstAfterSeconds = 120;
const cleaningEverySeconds = hourSeconds;

/** @returns what ends it */
function keepClean({ database, report, wait }: Surroundings): () => Promise<void> {
  return startRounds(
    {
      // Nodes that start together do not clean together: they would wait for each other.
      firstAfterSeconds: cleaningFirstAfterSeconds * (1 + Math.random()),
      everySeconds: cleaningEverySeconds,
      round: async (mayGoOn) => void (await removeEnded(database, mayGoOn)),
      onFailure: (cause) => report("", cause),
    },
    wait,
  );
}

function makeRoutes(): ReadonlyMap<string, ReadonlyMap<string, ConsoleOperationName>> {
  const routes = new Map<string, Map<string, ConsoleOperationName>>();
  for (const name of consoleOperationNames) {
    const { method, path } = consoleOperations[name];
    const methods = routes.get(path) ?? new Map<string, ConsoleOperationName>();
    routes.set(path, methods.set(method, name));
  }
  return routes;
}
