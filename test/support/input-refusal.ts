// What the parser says of an input, without a service: it decides before any engine is asked.
import { Refusal } from "../../src/contract/errors.ts";
import type { BatchItem, Operation } from "../../src/contract/operation.ts";
import { parseInput } from "../../src/platform/http/parse-input.ts";
import { engine } from "./engine.ts";

/** The message of the refusal, or of the first item's in a batch; undefined where the input is accepted. */
export function inputRefusal(operation: Operation, query: string, body: string | Uint8Array = ""): string | undefined {
  try {
    const input = parseInput(operation, query, typeof body === "string" ? Buffer.from(body) : body);
    if (operation.body?.kind !== "batch") return undefined;
    const [first] = input.body as BatchItem<unknown>[];
    return first && "refusal" in first ? first.refusal : undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

/** Of inputs that the parser refuses: all, and every fifth on PostgreSQL, where a call takes several times as long. */
export const sentToService = <Input>(inputs: readonly Input[]): readonly Input[] =>
  engine.name === "sqlite" ? inputs : inputs.filter((_, index) => index % 5 === 0);
