// The public API: its routes, made from the operations table, and what its calls need.
import { type OperationName, operationNames, operations } from "../contract/operations.ts";
import type { FailedAuthentications } from "../metering/keys/failed-authentications.ts";
import type { Database } from "../platform/database/database.ts";
import type { ReportFailure } from "../platform/http/failure.ts";
import { type FindRoute, methodNotAllowed, methodsByPath, openRoute, type Route } from "../platform/http/routes.ts";
import { handleCall } from "./handle-call.ts";
import { publicPages } from "./pages.ts";
import type { Uploads } from "./uploads.ts";

export interface ApiDependencies {
  readonly database: Database;
  /** Admitted calls of a key in any 60 seconds. */
  readonly requestsPerMinute: number;
  readonly failedAuthentications: FailedAuthentications;
  readonly uploads: Uploads;
  readonly report: ReportFailure;
}

/** Everything below the base path: the operations, their description and the reference page. */
export function createApi(api: ApiDependencies, basePath: string): FindRoute {
  const operationPaths = methodsByPath(operationNames, (name) => operations[name], basePath);
  const callRoutes = new Map(operationNames.map((name) => [name, callRoute(api, name)]));
  const pageRoutes = new Map(publicPages(basePath).map(({ path, respond }) => [path, openRoute(respond)]));
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
