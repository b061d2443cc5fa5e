// The administration area: what stands below /console, and who answers it. Nothing of it is loaded before somebody asks for it.

import { consoleOpenApi } from "../contract/console/openapi.ts";
import { consoleOperationNames, consoleOperations } from "../contract/console/operations.ts";
import { errors } from "../contract/errors.ts";
import { toRefusal } from "../platform/http/failure.ts";
import type { IncomingRequest } from "../platform/http/receive.ts";
import { type OutgoingResponse, refusalResponse } from "../platform/http/respond.ts";
import { methodsByPath } from "../platform/http/routes.ts";
import { answerPage, page } from "../platform/http/static-page.ts";
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

export function openConsole(surroundings: Surroundings): Console {
  const signIn = openSignIn(surroundings);
  const instance: Instance = { ...surroundings, signIn };
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
  };
}
