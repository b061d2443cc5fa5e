// ./commonplace key identify: whose a secret is that was found in a file, a log, or a chat.
import { isToken } from "../../accounts/people/token-secret.ts";
import { identifySecret, identifyToken } from "../../metering/keys/identify.ts";
import { isSecret } from "../../metering/keys/secret.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import type { Command, CommandContext } from "./command.ts";
import { readDatabase } from "./database-access.ts";
import { formatFields, printResult } from "./output.ts";

export const keyIdentify: Command = {
  name: "key identify",
  summary: "Show which API key or access token a secret belongs to",
  argument: { value: "SECRET", meaning: "Secret of a key or token (default: read it from standard input)" },
  options: {},
  notes: [
    "Other users of this computer can see command-line arguments. Use standard input",
    "instead:",
    "./commonplace key identify < FILE",
    "",
    "Exits with 1 if the secret does not belong to any key or token.",
  ],
  run: async (context) => {
    const secret = context.options.argument ?? (await readLine());
    if (secret === "") return context.options.refuse("a secret is required, as an argument or on standard input");
    const found = await identify(context, secret);
    // Names the key, never the secret.
    if (!found) throw new OperatorError("this secret does not belong to any API key or access token of this instance");
    const { workspace, state } = found;
    const fields = { workspace: workspace.name, "workspace ID": workspace.id };
    printResult(
      context,
      found,
      formatFields(
        "key" in found
          ? { ...fields, key: found.key.name, "key ID": found.key.id, state }
          : { ...fields, token: found.token.name, "token ID": found.token.id, owner: found.person.email, state },
      ),
    );
  },
};

async function identify(context: CommandContext, secret: string) {
  if (isSecret(secret)) return readDatabase(context, (transaction) => identifySecret(transaction, secret));
  return isToken(secret) ? readDatabase(context, (transaction) => identifyToken(transaction, secret)) : undefined;
}

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
