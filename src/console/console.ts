// The console: everything below /console.

import { consoleOpenApi } from "../contract/console/openapi.ts";
import { consoleOperationNames, consoleOperations } from "../contract/console/operations.ts";
import { errors } from "../contract/errors.ts";
import { toRefusal } from "../platform/http/failure.ts";
import type { IncomingRequest } from "../platform/http/receive.ts";
import { type OutgoingResponse, refusalResponse } from "../platform/http/respond.ts";
import { methodsByPath } from "../platform/http/routes.ts";
import { answerPage, page } from "../platform/http/static-page.ts";
import type { ConsoleContext, ConsoleDependencies } from "./call.ts";
import { type Console, consolePath } from "./entry.ts";
import { consoleFiles } from "./files.ts";
import { handleConsoleCall } from "./handle-call.ts";
import { redirectToOrigin } from "./other-host.ts";
import { openSignIn } from "./sign-in/sign-in.ts";
import { answerStripeHook, stripeHookPath } from "./stripe-hook.ts";

const description = page(`${consolePath}/api/openapi.json`, "application/json", () => JSON.stringify(consoleOpenApi()));

export function openConsole(dependencies: ConsoleDependencies): Console {
  const signIn = openSignIn(dependencies);
  const context: ConsoleContext = { ...dependencies, signIn };
  const files = consoleFiles(`${new URL(dependencies.baseUrl).pathname.replace(/\/$/, "")}/docs`);
  const operationPaths = methodsByPath(consoleOperationNames, (name) => consoleOperations[name]);

  const answer = async (incoming: IncomingRequest, requestId: string): Promise<OutgoingResponse> => {
    const path = incoming.path.slice(consolePath.length);
    if (path === "/api/openapi.json") return answerPage(description, incoming, requestId);
    if (path.startsWith("/api/")) {
      const methods = operationPaths.get(path.slice("/api".length));
      if (!methods) throw errors.pathUnknown();
      const name = methods.get(incoming.method);
      if (!name) throw errors.methodNotAllowed([...methods.keys()].join(", "));
      return handleConsoleCall(context, name, incoming, await signIn.readSessionCookie(incoming), requestId);
    }
    if (path === stripeHookPath) return answerStripeHook(context, incoming, requestId);
    if (path.startsWith("/auth/")) return signIn.respond(incoming, requestId);
    if (incoming.method !== "GET" && incoming.method !== "HEAD") throw errors.methodNotAllowed("GET, HEAD");
    if (path.startsWith("/assets/")) return files.asset(path.slice("/assets/".length), incoming, requestId);
    return redirectToOrigin(context, incoming, requestId) ?? files.page(incoming, requestId);
  };
  return {
    respond: (request, requestId) =>
      answer(request, requestId).catch((error: unknown) =>
        refusalResponse(toRefusal(error, requestId, dependencies.report), requestId),
      ),
  };
}
