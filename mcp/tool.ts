// What a tool is: one row of the table of tools.
import type { ToolAnnotations } from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { Commonplace } from "../sdk/src/index.ts";
import type { Finding, Requests } from "./results.ts";

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Read-only keys do not see it. */
  readonly isWriting: boolean;
  readonly annotations: ToolAnnotations;
  readonly input: z.ZodObject;
  /** @param given arguments that the schema has accepted */
  readonly run: (given: never, context: ToolContext) => Promise<Finding>;
}

export interface ToolContext {
  readonly client: Commonplace;
  /** Every request of the tool goes through it. */
  readonly requests: Requests;
}

/** Checks that the function fits the schema. */
export const defineTool = <Input extends z.ZodObject>(
  tool: Omit<Tool, "input" | "run"> & {
    readonly input: Input;
    readonly run: (given: z.output<Input>, context: ToolContext) => Promise<Finding>;
  },
): Tool => tool;

/** Hints for clients, which ask before they let an agent call a tool. Nothing outside of the library is touched. */
export const reading: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
export const adding: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};
export const changing: ToolAnnotations = { ...adding, destructiveHint: true, idempotentHint: true };
