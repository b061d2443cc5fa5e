// The routes of the public API, made from the operations table.
import { type OperationName, operationNames, operations } from "../contract/operations.ts";
import { type FindRoute, methodNotAllowed, methodsByPath, openRoute, type Route } from "../platform/http/routes.ts";
import type { ApiDependencies } from "./dependencies.ts";
import { handleCall } from "./handle-call.ts";
import { publicPages } from "./pages.ts";
import type { ReferenceAddress } from "./reference/address.ts";

/** Everything below the API's path: the operations, their description and the reference page. */
export function createApi(api: ApiDependencies, apiPath: string, addressOf: () => ReferenceAddress): FindRoute {
  const operationPaths = methodsByPath(operationNames, (name) => operations[name], apiPath);
  const callRoutes = new Map(operationNames.map((name) => [name, callRoute(api, name)]));
  const pageRoutes = new Map(publicPages(apiPath, addressOf).map(({ path, respond }) => [path, openRoute(respond)]));
  return (request) => {
    const methods = operationPaths.get(request.path);
    if (!methods) return pageRoutes.get(request.path)?.(request);
    const name = methods.get(request.method);
    return name ? callRoutes.get(name) : { kind: "none", respond: methodNotAllowed(methods.keys()) };
  };
}

const callRoute = (api: ApiDependencies, kind: OperationName): Route => ({
  kind,
  respond: (request, requestId) => handleCall(api, kind, request, requestId),
});
