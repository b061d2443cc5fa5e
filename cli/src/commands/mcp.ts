// `cpl mcp`: the library for an agent on this machine, over standard input and output.
import program from "../../package.json" with { type: "json" };
import type { Command } from "../command.ts";
import { notice } from "../terminal/print.ts";

export const mcp: Command = {
  name: "mcp",
  summary: "Run an MCP server, so that an agent can use your snippets",
  arguments: [],
  options: {},
  isForPrograms: true,
  notes: [
    "The server uses standard input and output, and agents start it themselves. In an",
    "agent's settings, enter the command cpl with the argument mcp. With a read-only",
    "key, an agent can search and read snippets, but not change anything.",
  ],
  run: async ({ connect }) => {
    const { client } = await connect();
    // Loaded only here, so that other commands start sooner.
    const [{ serveStdio }, { createMcpServer }] = await Promise.all([
      import("@modelcontextprotocol/server/stdio"),
      import("../../../mcp/server.ts"),
    ]);
    const ended = new Promise<void>((resolve) => process.stdin.once("close", resolve));
    // Standard output belongs to the protocol.
    const report = (error: unknown) => notice(error instanceof Error ? error.message : String(error));
    serveStdio(() => createMcpServer(client, program.version, report), { onerror: report });
    await ended;
  },
};
