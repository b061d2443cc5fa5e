// The console: everything below /console.

import { createSetupCheck } from "../accounts/people/first-administrator.ts";
import { consoleOpenApi } from "../contract/console/openapi.ts";
import { consoleOperationNames, consoleOperations } from "../contract/console/operations.ts";
import { errors } from "../contract/errors.ts";
import { toRefusal } from "../platform/http/failure.ts";
import type { IncomingRequest } from "../platform/http/receive.ts";
import { type OutgoingResponse, refusalResponse } from "../platform/http/respond.ts";
import { methodsByPath } from "../platform/http/routes.ts";
import { answerPage, page } from "../platform/http/static-page.ts";
import type { ConsoleContext } from "./call.ts";
import type { ConsoleDependencies } from "./dependencies.ts";
import { type Console, consolePath } from "./entry.ts";
import { consoleFiles } from "./files.ts";
import { handleConsoleCall } from "./handle-call.ts";
import { LiveFeed } from "./library/live.ts";
import { PersonLimit } from "./library/person-limit.ts";
import { redirectToOrigin } from "./other-host.ts";
import { openSignIn } from "./sign-in/sign-in.ts";
import { handleStripeHook, stripeHookPath } from "./stripe-hook.ts";

const description = page(`${consolePath}/api/openapi.json`, "application/json", () => JSON.stringify(consoleOpenApi()));

export function openConsole(dependencies: ConsoleDependencies): Console {
  const signIn = openSignIn(dependencies);
  const live = new LiveFeed(dependencies);
  const personLimit = new PersonLimit(dependencies.clock);
  const context: ConsoleContext = {
    ...dependencies,
    signIn,
    isSetUp: createSetupCheck(dependencies.database),
    live,
    personLimit,
    knownTokenNetworks: new Set(),
  };
  const files = consoleFiles(`${new URL(dependencies.baseUrl).pathname.replace(/\/$/, "")}/reference`);
  const operationPaths = methodsByPath(consoleOperationNames, (name) => consoleOperations[name]);

  const respond = async (request: IncomingRequest, requestId: string): Promise<OutgoingResponse> => {
    const path = request.path.slice(consolePath.length);
    if (path === "/api/openapi.json") return answerPage(description, request, requestId);
    if (path.startsWith("/api/")) {
      const methods = operationPaths.get(path.slice("/api".length));
      if (!methods) throw errors.pathUnknown();
      const name = methods.get(request.method);
      if (!name) throw errors.methodNotAllowed([...methods.keys()].join(", "));
      return handleConsoleCall(context, name, request, await signIn.readSessionCookie(request), requestId);
    }
    if (path === stripeHookPath) return handleStripeHook(context, request, requestId);
    if (path.startsWith("/auth/")) return signIn.respond(request, requestId);
    if (request.method !== "GET" && request.method !== "HEAD") throw errors.methodNotAllowed("GET, HEAD");
    if (path.startsWith("/assets/")) return files.asset(path.slice("/assets/".length), request, requestId);
    return redirectToOrigin(context, request, requestId) ?? files.page(request, requestId);
  };
  return {
    endStreams: () => live.end(),
    respond: (request, requestId) =>
      respond(request, requestId).catch((error: unknown) =>
        refusalResponse(toRefusal(error, requestId, dependencies.report), requestId),
      ),
  };
}
