// Makes what a request can be about, so that each operation can be accepted, whatever the seed.
import type { Random } from "../random.ts";
import type { Client, Request } from "./client.ts";
import type { Answer, OperationRead, Reader } from "./reader.ts";

const triesMax = 100;

interface Guided {
  readonly reader: Reader;
  readonly random: Random;
  readonly client: Client;
}

/**
 * Teaches the client one thing of each kind; for an operation on the trash, a snippet that is in it; for one on an import,
 * an import.
 */
export async function makeKnown(
  { reader, random, client }: Guided,
  operation: string,
  send: (operation: OperationRead, request: Request) => Promise<Answer>,
): Promise<void> {
  const ask = async (name: string, more: object = {}) => {
    const asked = reader.operations.find((each) => each.name === name);
    let request: Request | undefined;
    // One may refer to what is not there yet, such as the parent of a first folder.
    for (let tries = 0; asked && !request && tries < triesMax; tries += 1) request = client.make(asked);
    if (!asked || !request) throw new Error(`no request of ${name}`);
    // A file is sent as it is.
    const sent =
      request.body === undefined || typeof request.body === "string"
        ? request
        : { ...request, body: { ...request.body, ...more } };
    client.learn(asked, sent, await send(asked, sent));
  };
  if (operation === "postImportUndo") return ask("postImport");
  await ask("postFolder");
  await ask("postTag");
  await ask("postSnippet", { shortcut: `/${random.uuid()}` });
  if (operation === "postSnippetsRestore") return ask("deleteSnippet");
  // So that there is more than one, of which reading tells the IDs.
  await ask("postSnippetVariations");
  await ask("getSnippet");
}
