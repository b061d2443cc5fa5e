// The administration area: what stands below /console, and who answers it. Nothing of it is loaded before somebody asks for it.

import { removeEnded } from "../accounts/people/cleanup.ts";
import { consoleOpenApi } from "../contract/console/openapi.ts";
import { consoleOperationNames, consoleOperations } from "../contract/console/operations.ts";
import { errors } from "../contract/errors.ts";
import { keepWarnings } from "../metering/billing/warnings.ts";
import { keepUsage } from "../metering/usage/rounds.ts";
import { toRefusal } from "../platform/http/failure.ts";
import type { IncomingRequest } from "../platform/http/receive.ts";
import { type OutgoingResponse, refusalResponse } from "../platform/http/respond.ts";
import { methodsByPath } from "../platform/http/routes.ts";
import { answerPage, page } from "../platform/http/static-page.ts";
import { startRounds } from "../platform/jobs.ts";
import { startSender } from "../platform/mail/sender.ts";
import { openTransport } from "../platform/mail/transport.ts";
import { hourSeconds } from "../platform/time.ts";
import type { Instance } from "./call.ts";
import { type Console, consolePath } from "./entry.ts";
import { consoleFiles } from "./files.ts";
import { handleConsoleCall } from "./handle-call.ts";
import { answerElsewhere } from "./other-host.ts";
import { openSignIn } from "./sign-in/sign-in.ts";
import { answerStripeHook, stripeHookPath } from "./stripe-hook.ts";

/** What the console is given. It adds the doors that its handlers need. */
export type Surroundings = Omit<Instance, "signIn">;

const description = page(`${consolePath}/api/openapi.json`, "application/json", () => JSON.stringify(consoleOpenApi()));

export interface RunningConsole extends Console {
  readonly stop: () => Promise<void>;
}

export function openConsole(surroundings: Surroundings): RunningConsole {
  const signIn = openSignIn(surroundings);
  const instance: Instance = { ...surroundings, signIn };
  // Work beside the calls: each returns what ends it.
  const stops: (() => Promise<void>)[] = [keepUsage(surroundings), keepClean(surroundings)];
  const { mail } = surroundings.config;
  if (mail) stops.push(startSender({ ...surroundings, send: openTransport(mail) }, surroundings.wait));
  // Where no mail is sent, the pages show how much is used.
  if (mail) stops.push(keepWarnings(surroundings, surroundings.wait));
  const files = consoleFiles(`${new URL(surroundings.baseUrl).pathname.replace(/\/$/, "")}/docs`);
  const operationPaths = methodsByPath(consoleOperationNames, (name) => consoleOperations[name]);

  const answer = async (incoming: IncomingRequest, requestId: string): Promise<OutgoingResponse> => {
    const path = incoming.path.slice(consolePath.length);
    if (path === "/api/openapi.json") return answerPage(description, incoming, requestId);
    if (path.startsWith("/api/")) {
      const methods = operationPaths.get(path.slice("/api".length));
      if (!methods) throw errors.pathUnknown();
      const name = methods.get(incoming.method);
      if (!name) throw errors.methodNotAllowed([...methods.keys()].join(", "));
      return handleConsoleCall(instance, name, incoming, await signIn.readSessionCookie(incoming), requestId);
    }
    if (path === stripeHookPath) return answerStripeHook(instance, incoming, requestId);
    if (path.startsWith("/auth/")) return signIn.respond(incoming, requestId);
    if (incoming.method !== "GET" && incoming.method !== "HEAD") throw errors.methodNotAllowed("GET, HEAD");
    if (path.startsWith("/assets/")) return files.asset(path.slice("/assets/".length), incoming, requestId);
    return answerElsewhere(instance, incoming, requestId) ?? files.page(incoming, requestId);
  };
  return {
    respond: (request, requestId) =>
      answer(request, requestId).catch((error: unknown) =>
        refusalResponse(toRefusal(error, requestId, surroundings.report), requestId),
      ),
    stop: async () => {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}

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
