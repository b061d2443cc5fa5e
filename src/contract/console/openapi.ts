// The OpenAPI 3.1 document of the console's API, made from its table. Scripts use it with an access token.
import { errorBody } from "../envelope.ts";
import type { Schema } from "../openapi-document.ts";
import { schemaOf, sorted } from "../openapi-schema.ts";
import { apiVersion } from "../operations.ts";
import { actions, workspaceRoles } from "./actions.ts";
import type { ConsoleOperation } from "./operation.ts";
import { type ConsoleOperationName, consoleOperationNames, consoleOperations } from "./operations.ts";

/** The OpenAPI document of the console's API, served under `/console/api`. */
export function consoleOpenApi() {
  const schemas: Record<string, Schema> = {};
  const paths: Record<string, Record<string, object>> = {};
  for (const name of consoleOperationNames) {
    const { path, method } = consoleOperations[name];
    const methods = paths[path] ?? {};
    paths[path] = methods;
    methods[method.toLowerCase()] = describe(name, schemas);
  }
  const error = schemaOf(errorBody, "output", schemas);
  const areas = [...new Set(consoleOperationNames.map((name) => consoleOperations[name].area))];
  return {
    openapi: "3.1.0",
    info: {
      title: "Commonplace console",
      version: apiVersion,
      summary: "Keys, usage, billing, members, teams and the audit log of a workspace.",
      description: [
        "The API behind the console at `/console`, for scripts: JSON over HTTPS, with a personal access token from the account page.",
        "A token can do in one workspace what its owner may do there. Operations marked so are for signed-in people only, not for tokens. Calls cost nothing and do not use the quota.",
        "Lists are paged: pass `nextCursor` of a response as `cursor` of the next call. It is null on the last page.",
      ].join("\n\n"),
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/console/api", description: "This service" }],
    tags: areas.map((name) => ({ name, description: descriptions[name] })),
    paths,
    components: {
      securitySchemes: {
        accessToken: { type: "http", scheme: "bearer", bearerFormat: "cpt_…", description: "A personal access token." },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "__Host-commonplace.session_token",
          description: "The session of a person who is signed in to the console.",
        },
      },
      schemas: sorted(schemas),
      responses: {
        Refusal: {
          description: "Refused. The message gives the reason; the code is stable.",
          content: { "application/json": { schema: error } },
        },
      },
    },
  };
}

const descriptions: Readonly<Record<ConsoleOperation["area"], string>> = {
  Account: "One's own sign-in, sessions and access tokens.",
  Workspace: "Workspaces and their subscription.",
  "API access": "API keys: creation, rotation, deactivation, deletion.",
  Usage: "The remaining quota, the usage, and the request log.",
  Billing: "Price, packages, invoices and payments.",
  Members: "Members of a workspace and invitations.",
  Teams: "Teams and their members.",
  "Audit log": "Who did what, when, and from where.",
};

function describe(name: ConsoleOperationName, schemas: Record<string, Schema>): object {
  const row: ConsoleOperation = consoleOperations[name];
  const parameters = Object.entries(row.query).map(([parameter, { description, schema, isRequired }]) => ({
    name: parameter,
    in: "query",
    description,
    required: isRequired,
    schema,
  }));
  const refusal = { $ref: "#/components/responses/Refusal" };
  const security = row.access === "public" ? [] : [...(row.isForTokens ? [{ accessToken: [] }] : []), { session: [] }];
  return {
    operationId: name,
    tags: [row.area],
    summary: row.summary,
    description: [row.description, describeAccess(row)].filter(Boolean).join("\n\n"),
    ...(parameters.length > 0 && { parameters }),
    ...(row.body?.kind === "object" && {
      requestBody: {
        required: true,
        content: { "application/json": { schema: schemaOf(row.body.schema, "input", schemas) } },
      },
    }),
    security,
    responses: {
      200: { description: "Success.", content: contentOf(row, schemas) },
      "4XX": refusal,
      ...(row.access !== "public" && { 401: refusal }),
    },
  };
}

function contentOf(row: ConsoleOperation, schemas: Record<string, Schema>): object {
  if (row.mediaType !== undefined) return { [row.mediaType]: { schema: { type: "string" } } };
  const properties = {
    success: { type: "boolean", const: true },
    data: schemaOf(row.data, "output", schemas),
    ...(row.isPaged && { nextCursor: { type: ["string", "null"] } }),
  } satisfies Record<string, Schema>;
  return { "application/json": { schema: { type: "object", properties, required: Object.keys(properties) } } };
}

/** Who may call the operation, and what a token may not do, in words. */
function describeAccess({ access, isForTokens, isConfirmed }: ConsoleOperation): string {
  const sentences: string[] = [];
  if (access === "public") sentences.push("Public.");
  else if (access === "signedIn") sentences.push("For everyone who is signed in, about their own account.");
  else {
    const { operator, workspace, team } = actions[access] as {
      operator: boolean;
      workspace: readonly string[];
      team: readonly string[];
    };
    const roles = [
      ...(operator ? ["the operator of the instance"] : []),
      ...(workspace.length === workspaceRoles.length ? ["every member"] : workspace.map((role) => `${role}s`)),
      ...team.map((role) => `a team's ${role} within that team`),
    ];
    sentences.push(`For ${new Intl.ListFormat("en").format(roles)}.`);
  }
  if (access !== "public" && !isForTokens) sentences.push("Not for access tokens.");
  else if (isConfirmed) sentences.push("People must confirm their password first; tokens need not.");
  return sentences.join(" ");
}
