// The OpenAPI 3.1 document of the console's API, made from its table. Scripts use it with an access token.
import { errorBody } from "../envelope.ts";
import type { Schema } from "../openapi-document.ts";
import { schemaOf, schemaOfBody, sorted } from "../openapi-schema.ts";
import { actions, workspaceRoles } from "./actions.ts";
import type { ConsoleOperation } from "./operation.ts";
import { type ConsoleOperationName, consoleOperationNames, consoleOperations } from "./operations.ts";

/** Of the API that serves the console's pages, and changes with them: docs/compatibility.md. */
export const consoleApiVersion = "0.1.0";

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
      version: consoleApiVersion,
      summary: "API keys, usage, billing, members, teams, and the audit log of a workspace.",
      description: [
        "The API behind the console at `/console`: JSON over HTTPS. Scripts can use it with an access token that you create on your account page.",
        "It changes with the console's pages, in any 0.x release. Programs that work with snippets should use the public API.",
        "An access token has its owner's permissions in one workspace. Operations that do not accept access tokens say so. Requests to this API cost no units.",
        "Lists are paged. To get the next page, pass `nextCursor` of the response as `cursor`. On the last page, `nextCursor` is null.",
      ].join("\n\n"),
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/console/api", description: "This service" }],
    tags: areas.map((name) => ({ name, description: descriptions[name] })),
    paths,
    components: {
      securitySchemes: {
        accessToken: { type: "http", scheme: "bearer", bearerFormat: "cpt_…", description: "An access token." },
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
          description: "The request was refused. The message gives the reason, and the code is for programs.",
          content: { "application/json": { schema: error } },
        },
      },
    },
  };
}

const descriptions: Readonly<Record<ConsoleOperation["area"], string>> = {
  Account: "Your sign-in, sessions, and access tokens.",
  Workspace: "Workspaces and their subscriptions.",
  "API access": "Create, rotate, deactivate, and delete API keys.",
  Alerts: "Workspace alerts by email and webhook.",
  Usage: "Units left, units used, and the request log.",
  Billing: "Prices, packages, invoices, and payments.",
  Members: "Workspace members and invitations.",
  Teams: "Teams and their members.",
  Instance: "The version of the service and its backups, for operators.",
  People: "Everyone with an account on the instance, for operators.",
  Library: "Snippets, folders, and tags. Programs should normally use the public API, where requests cost units.",
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
    ...(row.body && {
      requestBody: {
        required: row.body.kind !== "optional object",
        content: {
          [row.body.kind === "file" ? "application/octet-stream" : "application/json"]: {
            schema: schemaOfBody(row.body, schemas),
          },
        },
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
    ...(row.metadata && { metadata: schemaOf(row.metadata, "output", schemas) }),
    ...(row.isPaged && { nextCursor: { type: ["string", "null"] } }),
  } satisfies Record<string, Schema>;
  return { "application/json": { schema: { type: "object", properties, required: Object.keys(properties) } } };
}

const list = new Intl.ListFormat("en");

/** Who may send the request, and whether a token may, in words. */
function describeAccess({ access, isForTokens, confirmation }: ConsoleOperation): string {
  const sentences: string[] = [];
  if (access === "public") sentences.push("No sign-in required.");
  else if (access === "signedIn") sentences.push("Available to everyone who is signed in.");
  else {
    const { operator, workspace, team } = actions[access] as {
      operator: boolean;
      workspace: readonly string[];
      team: readonly string[];
    };
    const roles = [
      ...(operator ? ["operators"] : []),
      ...(workspace.length === workspaceRoles.length ? ["all members"] : workspace.map((role) => `${role}s`)),
    ];
    const ofTeam = team.length > 0 ? `; in a team, also to its ${list.format(team.map((role) => `${role}s`))}` : "";
    sentences.push(`Available to ${list.format(roles)}${ofTeam}.`);
  }
  if (access !== "public" && !isForTokens) sentences.push("Access tokens cannot be used.");
  else if (confirmation === "always") sentences.push("In a session, the password must have been confirmed recently.");
  else if (confirmation !== "never")
    sentences.push("In a session, some changes require the password to have been confirmed recently.");
  return sentences.join(" ");
}
