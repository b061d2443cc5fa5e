// ./commonplace key identify: whose a secret is that was found in a file, a log, or a chat.
import { identifySecret } from "../../metering/keys/identify.ts";
import { isSecret } from "../../metering/keys/secret.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import type { Command, CommandContext } from "./command.ts";
import { readDatabase } from "./database-access.ts";
import { formatFields, printResult } from "./output.ts";

export const keyIdentify: Command = {
  name: "key identify",
  summary: "Show which API key and workspace a secret belongs to",
  argument: { value: "SECRET", meaning: "Secret of an API key; without it, read from standard input" },
  options: {},
  notes: [
    "Other users of this computer can see arguments. Prefer standard input:",
    "./commonplace key identify < FILE",
    "",
    "Exits with 1 if the secret belongs to no key.",
  ],
  run: async (context) => {
    const secret = context.options.argument ?? (await readLine());
    if (secret === "") return context.options.refuse("a secret is required, as an argument or on standard input");
    const found = await identify(context, secret);
    // Names the key, never the secret.
    if (!found) throw new OperatorError("unknown: this secret belongs to no API key of this instance");
    const { workspace, key, state } = found;
    printResult(
      context,
      found,
      formatFields({
        workspace: workspace.name,
        "workspace ID": workspace.id,
        key: key.name,
        "key ID": key.id,
        state,
      }),
    );
  },
};

const identify = (context: CommandContext, secret: string) =>
  isSecret(secret) ? readDatabase(context, (transaction) => identifySecret(transaction, secret)) : undefined;

const inputBytesMax = 4_096;

/** The first line of standard input. What follows is not waited for. */
async function readLine(): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of Bun.stdin.stream()) {
    text += decoder.decode(chunk, { stream: true });
    if (text.trimStart().includes("\n") || text.length > inputBytesMax) break;
  }
  return text.trim().split(/\s/, 1)[0] ?? "";
}
