// The MCP server: the library as tools, resources, and prompts. It knows no transport; each request of an agent becomes requests of the
// client that it is given.
import {
  type CallToolResult,
  type ListResourcesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  Server,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Commonplace } from "../sdk/src/index.ts";
import { argumentProblems } from "./argument-problems.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { readingTools } from "./reading-tools.ts";
import { dataNotice, descriptionOf, messageOf, partOf, Requests, ToolError, toFailure, toResult } from "./results.ts";
import { readSnippetUri, snippetUri, snippetUriTemplate } from "./snippet-uri.ts";
import type { Tool } from "./tool.ts";
import { isReadOnly, requireWriteScope, writingTools } from "./writing-tools.ts";

export const tools: readonly Tool[] = [...readingTools, ...writingTools];

/** Each costs 1 unit. Clients list resources without being asked and follow cursors to the end, so there is only one page. */
const resourcesMax = 20;

/**
 * @param version of the program that serves it
 * @param onDefect learns of errors that the agent cannot act on
 */
export function createMcpServer(client: Commonplace, version: string, onDefect: (error: unknown) => void): Server {
  const server = new Server(
    { name: "commonplace", title: "Commonplace", version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: `Commonplace is a team's snippet library: reusable text and code with shortcuts, variations, and placeholders such as {{name}}. Search before you write something that the team may already have. The list of resources has only the ${resourcesMax} most recently changed snippets: use search_snippets to find others. ${dataNotice}`,
    },
  );
  /** Turns a refusal of the service into an error of the protocol. */
  const refusing = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      const message = messageOf(error);
      if (message !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
      onDefect(error);
      throw new ProtocolError(ProtocolErrorCode.InternalError, "The request failed");
    }
  };
  server.setRequestHandler("tools/list", async () => {
    const { key } = (await refusing(() => client.getMe())).data;
    return { tools: tools.filter(({ isWriting }) => !(isReadOnly(key) && isWriting)).map(describeTool) };
  });
  server.setRequestHandler("tools/call", ({ params }) =>
    refusing(() => callTool(client, params.name, params.arguments ?? {})),
  );
  server.setRequestHandler("resources/list", () => refusing(() => listResources(client)));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [
      {
        name: "snippet",
        title: "Snippet",
        description: "Any snippet, by its ID, which search_snippets returns",
        uriTemplate: snippetUriTemplate,
        mimeType: "text/plain",
      },
    ],
  }));
  server.setRequestHandler("resources/read", ({ params }) => refusing(() => readResource(client, params.uri)));
  server.setRequestHandler("prompts/list", () => refusing(async () => ({ prompts: await listPrompts(client) })));
  server.setRequestHandler("prompts/get", ({ params }) =>
    refusing(() => getPrompt(client, params.name, params.arguments ?? {})),
  );
  return server;
}

function describeTool({ name, title, description, annotations, input }: Tool) {
  // The schema of an object is an object, which the types of Zod do not say.
  const inputSchema = z.toJSONSchema(input, { io: "input" }) as { type: "object" };
  return { name, title, description, annotations: { title, ...annotations }, inputSchema };
}

/** Whatever the agent can correct is a result, which it reads. */
async function callTool(client: Commonplace, name: string, given: unknown): Promise<CallToolResult> {
  const tool = tools.find((each) => each.name === name);
  if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name}`);
  const input = tool.input.strict().safeParse(given);
  try {
    const requests = new Requests();
    if (!input.success && tool.isWriting) await requireWriteScope({ client, requests });
    if (!input.success) throw new ToolError(argumentProblems(tool, input.error, given));
    // The schema has accepted the arguments, and `defineTool` checked that the function takes them.
    return toResult(await tool.run(input.data as never, { client, requests }), requests);
  } catch (error) {
    return toFailure(error);
  }
}

/** The snippets that were changed last. Costs 1 unit, and 1 for each. */
async function listResources(client: Commonplace): Promise<ListResourcesResult> {
  const { data } = await client.getSearch({ limit: resourcesMax });
  return {
    resources: data.snippets.map(({ id, title, shortcut, snippet_note, content, updated_at }) => ({
      uri: snippetUri(id),
      name: shortcut ?? title,
      title,
      ...descriptionOf(snippet_note),
      mimeType: "text/plain",
      size: new TextEncoder().encode(content.content).length,
      annotations: { lastModified: updated_at },
    })),
  };
}

/** Costs 1 unit. */
async function readResource(client: Commonplace, uri: string): Promise<ReadResourceResult> {
  const which = readSnippetUri(uri);
  if (!which) throw new ToolError(`${uri} is not the address of a snippet`);
  const { data } = await client.getSnippet({ id: which.id });
  const { text, part, parts } = partOf(data.content.content, which.part);
  const next = part < parts ? { "commonplace/nextPart": snippetUri(data.id, part + 1) } : {};
  return { contents: [{ uri, mimeType: "text/plain", text, _meta: { "commonplace/parts": parts, ...next } }] };
}
