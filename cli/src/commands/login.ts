// `cpl login` and `cpl logout`: the address of the service and the key to use.
import type { Command } from "../command.ts";
import { connect } from "../connection.ts";
import { Failure, UsageError } from "../failures.ts";
import { apiUrl, readCa } from "../settings.ts";
import { ask, askSecret, isInteractive, readInput } from "../terminal/ask.ts";
import { pluralize, printJson, status } from "../terminal/print.ts";

export const login: Command = {
  name: "login",
  summary: "Store the address of your service and your API key",
  arguments: [
    {
      value: "ADDRESS",
      meaning: "the address of your service, such as https://snippets.example.com",
      isOptional: true,
    },
  ],
  options: {
    ca: { value: "FILE", meaning: "the certificate authority to trust, if the service issued its own certificate" },
  },
  notes: [
    "Asks for what you leave out. In a script, pass the key on standard input:",
    "  cpl login https://snippets.example.com < key.txt",
    "The key goes into the system's keychain, or into a file that only you can read.",
  ],
  run: async ({ words: [given], options, isJson, settings }) => {
    const isAsking = isInteractive();
    if (given === undefined && !isAsking) throw new UsageError("ADDRESS is required", "login");
    const url = apiUrl(given ?? (await ask("Address: ")));
    const caPath = options.text("ca");
    const ca = caPath === undefined ? undefined : readCa(caPath);
    // The file that a first start writes has more lines than the key.
    const [key] = /\bcpl_\w+/.exec(isAsking ? await askSecret("API key: ") : await readInput()) ?? [];
    if (key === undefined) throw new Failure("an API key is required. It begins with cpl_");
    const access = { url, key, ca };
    const { data } = await connect(access, settings.cacheDirectory, false).client.getMe();
    const place = settings.save(access);
    if (isJson)
      return printJson({ url, key: data.key, workspace: data.workspace, teams: data.teams, stored_in: place });
    const teams = pluralize(data.teams.length, "team");
    const rights = data.key.scopes?.includes("write") === false ? "read-only access" : "access";
    status(`Logged in to ${new URL(url).host} with the key "${data.key.name}", which has ${rights} to ${teams}.`);
    status(place === "keychain" ? "The key is in your keychain." : `The key is in ${settings.path}.`);
  },
};

export const logout: Command = {
  name: "logout",
  summary: "Remove the stored key and everything that cpl has fetched",
  arguments: [],
  options: {},
  notes: ["The key stays active. To deactivate it, use the console."],
  run: async ({ isJson, settings }) => {
    const url = settings.forget();
    if (isJson) return printJson({ url: url ?? null });
    status(url === undefined ? "You were not logged in." : `Logged out of ${new URL(url).host}.`);
  },
};
