// The promises that `npm run prove` proves, in the order of docs/proofs.md, which says how each is proved, and what is not.
import { engineNames, needsRoot, type Promised } from "./proof.ts";

export const promises: readonly Promised[] = [
  {
    id: "P3",
    sentence: "What was acknowledged survives a power failure",
    engines: engineNames,
    minutes: 15,
    missing: needsRoot,
    load: async () => (await import("./power-cuts.ts")).prove,
    control: (engine) =>
      engine === "sqlite"
        ? {
            plants: "commits of SQLite that do not wait for the disk",
            faults: [
              {
                file: "src/platform/database/sqlite.ts",
                find: 'connection.run("pragma synchronous = full");',
                replace: 'connection.run("pragma synchronous = normal");',
              },
              { file: "src/platform/database/sqlite.ts", find: '["synchronous", 2],', replace: "" },
            ],
            shows: /lost: /,
          }
        : {
            plants: "commits of PostgreSQL that do not wait for the disk",
            faults: [
              {
                file: "src/platform/database/postgres.ts",
                find: 'if (row[setting] === "off")',
                replace: "if (row[setting] === undefined)",
              },
            ],
            environment: { PROVE_SERVER_SETTINGS: '{"synchronous_commit":"off"}' },
            shows: /lost: /,
          },
  },
];
