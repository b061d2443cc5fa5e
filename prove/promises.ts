// The promises that `npm run prove` proves, in the order of docs/how/proofs.md, which says how each is proved, and what is not.
import { engineNames, needsLinux, needsLinuxAndCompiler, needsRoot, type Promised } from "./proof.ts";

export const promises: readonly Promised[] = [
  {
    id: "P1",
    sentence: "Each acknowledged request is charged exactly once, and the balance is never negative",
    engines: engineNames,
    minutes: 3,
    isSideBySide: true,
    load: async () => (await import("./charges.ts")).prove,
    control: () => ({
      plants: "requests that share a transaction together draw one unit less than they cost",
      faults: [
        {
          file: "src/metering/admission/admission.ts",
          find: "store.drawingUnits(id, month, drawn)",
          replace: "store.drawingUnits(id, month, Math.max(1, drawn - (drawn > 3 ? 1 : 0)))",
        },
      ],
      shows: /grantsMinusLedger|remaining|balance_after/,
    }),
  },
  {
    id: "P2",
    sentence:
      "No key can read, change, count, or infer anything about another workspace or a team that the key cannot access",
    engines: engineNames,
    minutes: 2,
    isSideBySide: true,
    load: async () => (await import("./isolation.ts")).prove,
    control: (engine) => [
      {
        plants: engine === "sqlite" ? "a read of a snippet ignores the workspace" : "counts ignore the teams of a key",
        faults: [
          engine === "sqlite"
            ? {
                file: "src/library/snippets.store.ts",
                // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the source text of a template
                find: "s.workspace_id = ${workspaceId} and s.id = ${id}`,\n  );\n  if (!row) return undefined;\n  const first",
                replace: "s.id = ${id}`,\n  );\n  if (!row) return undefined;\n  const first",
                // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the source text of a template
              }
            : {
                file: "src/library/teams.store.ts",
                find: "teamIds.length === 0 ? sql`1 = 0` : sql`",
                replace: "teamIds.length === 0 ? sql`1 = 0` : sql`1 = 1 or ",
              },
        ],
        shows: /change what a key is answered|toEqual/,
      },
      {
        plants: "the change feed lists the changes of every team",
        faults: [
          {
            file: "src/library/feed/feed.store.ts",
            // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the source text of a template
            find: "workspace_id = ${workspaceId} and team_id in ${list(teamIds)} and number between",
            replace: "workspace_id = ${workspaceId} and number between",
            // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the source text of a template
          },
        ],
        shows: /a team out of reach change what a key is answered.*getChanges/s,
      },
      {
        plants: "an import uses folders of every team",
        faults: [
          {
            file: "src/library/import/existing.ts",
            find: "folderStore.listCounted(transaction, workspaceId, [teamId]",
            replace: "folderStore.listCounted(transaction, workspaceId, undefined",
          },
        ],
        shows: /a team out of reach change what a key is answered/,
      },
      {
        plants: "an export has the snippets of every team",
        faults: [
          {
            file: "src/library/export/team.store.ts",
            // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the source text of a template
            find: "where workspace_id = ${workspaceId} and team_id = ${teamId} limit",
            replace: "where workspace_id = ${workspaceId} limit",
            // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the source text of a template
          },
        ],
        shows: /a team out of reach change what a key is answered.*getExport/s,
      },
    ],
  },
  {
    id: "P3",
    sentence: "What was acknowledged survives a power failure",
    engines: engineNames,
    minutes: 1.5,
    missing: needsRoot,
    load: async () => (await import("./power-cuts.ts")).prove,
    control: (engine) =>
      engine === "sqlite"
        ? {
            plants: "commits of SQLite do not wait for the disk",
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
            plants: "commits of PostgreSQL do not wait for the disk",
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
  {
    id: "P4",
    sentence: "After a kill at any moment, the data is consistent, and the service responds again without manual work",
    engines: engineNames,
    minutes: 2,
    missing: needsLinuxAndCompiler,
    load: async () => (await import("./kills.ts")).prove,
    control: (engine) => ({
      plants: engine === "sqlite" ? "responses are sent before the commit" : "work and charge are in two transactions",
      faults: [
        engine === "sqlite"
          ? {
              file: "src/platform/database/sqlite.ts",
              find: "this.#commit(group);",
              replace: "for (const answer of answers.splice(0)) answer();\nawait Bun.sleep(5);\nthis.#commit(group);",
            }
          : {
              file: "src/platform/database/postgres.ts",
              find: "const isCommitted = await transaction.commit(value, flush?.(transaction));",
              replace: `transaction.send(sql\`commit\`);
                await Bun.sleep(20);
                transaction.send(sql\`begin\`);
                const isCommitted = await transaction.commit(value, flush?.(transaction));`,
            },
      ],
      shows: /lost: |free: |half done: /,
    }),
  },
  {
    id: "P10",
    sentence:
      "A payment reference is credited once, and a repeated request with the same `Idempotency-Key` is carried out once",
    engines: engineNames,
    minutes: 3,
    load: async () => (await import("./repeats.ts")).prove,
    control: () => ({
      plants: "outcomes are not kept",
      faults: [{ file: "src/api/idempotency.ts", find: "store.keepOutcome(transaction, {", replace: "void ({" }],
      shows: /carried out more than once/,
    }),
  },
  {
    id: "P5",
    sentence: "No key, password, or session can be recovered from anything stored or printed",
    engines: engineNames,
    minutes: 1,
    isSideBySide: true,
    load: async () => (await import("./secrets.ts")).prove,
    control: () => ({
      plants: "lists show a whole key instead of its beginning",
      faults: [
        {
          file: "src/platform/secrets/secrets.ts",
          find: "secret.slice(0, prefix.length + shownCharacters)",
          replace: "secret",
        },
      ],
      shows: /is readable in/,
    }),
  },
  {
    id: "P9",
    sentence: "An upgrade never loses data, continues after a crash, and runs once if several nodes start together",
    engines: engineNames,
    minutes: 6,
    isSideBySide: true,
    load: async () => (await import("./migrations.ts")).prove,
    control: (engine) => ({
      plants: "each statement of a migration is committed alone",
      faults: [
        {
          file: "src/platform/database/migrate.ts",
          find: "const execute = (text: string) => transaction.run(new Sql([text], []));",
          replace: `const execute = async (text: string) => {
            const again = ["commit", "begin"${engine === "sqlite" ? ', "savepoint level_0"' : ""}];
            for (const each of [text, ...again]) await transaction.run(new Sql([each], []));
          };`,
        },
      ],
      shows: /after a kill behind statement/,
    }),
  },
  {
    id: "P11",
    sentence: "What you store is what you get back, byte for byte, on both engines",
    engines: engineNames,
    minutes: 5,
    isSideBySide: true,
    load: async () => (await import("./round-trip.ts")).prove,
    control: () => ({
      plants: "titles of new snippets are normalized",
      faults: [
        {
          file: "src/library/write-snippets.ts",
          find: "title: input.title,",
          replace: "title: input.title.normalize(),",
        },
      ],
      shows: /title came back changed/,
    }),
  },
  {
    id: "P12",
    sentence: "A failed flush is never hidden: the process stops, says why, and acknowledges nothing",
    engines: ["sqlite"],
    minutes: 3,
    missing: needsLinuxAndCompiler,
    load: async () => (await import("./failing-disk.ts")).prove,
    control: () => ({
      plants: "a commit that fails counts as rolled back",
      faults: [
        {
          file: "src/platform/database/sqlite-failures.ts",
          find: "const refusedCommits = /^SQLITE_(BUSY",
          replace: "const refusedCommits = /^SQLITE_(IOERR|BUSY",
        },
      ],
      shows: /charged: |carried out: /,
    }),
  },
  {
    id: "P13",
    sentence:
      "A full disk or a lost database means 503 with `Retry-After`, no half-finished work, no free requests, and recovery without a restart",
    engines: engineNames,
    minutes: 1.5,
    missing: needsRoot,
    load: async () => (await import("./outages.ts")).prove,
    control: (engine) => ({
      plants:
        engine === "sqlite" ? "a refused commit counts as carried out" : "an unknown outcome counts as rolled back",
      faults: [
        engine === "sqlite"
          ? {
              file: "src/platform/database/sqlite.ts",
              find: "if (isRefusedCommit(cause)) throw cause;",
              replace: "if (isRefusedCommit(cause)) return;",
            }
          : {
              file: "src/platform/database/postgres.ts",
              find: "if (error instanceof OutcomeUnknown && isDone) {",
              replace:
                'if (error instanceof OutcomeUnknown && isDone) {\nthrow new DatabaseUnavailable("assumed to be rolled back");',
            },
      ],
      shows: /lost: |charged: |carried out: |not as acknowledged: |"status"/,
    }),
  },
  {
    id: "P14",
    sentence:
      "No more requests than the limit are admitted in any 60-second window, and no fewer if they are sent evenly; waiting as long as `Retry-After` says is enough",
    engines: engineNames,
    minutes: 4,
    isSideBySide: true,
    load: async () => (await import("./rate-limit.ts")).prove,
    control: (engine) => ({
      plants: "the window is one millisecond too wide",
      faults: [
        engine === "sqlite"
          ? {
              file: "src/metering/admission/call-times.ts",
              find: "[now - windowMilliseconds, now + windowMilliseconds]",
              replace: "[now - windowMilliseconds - 1, now + windowMilliseconds]",
            }
          : {
              file: "src/metering/admission/admission.store.ts",
              find: "and l.admitted_at > ",
              replace: "and l.admitted_at >= ",
            },
      ],
      shows: /instead of|Retry-After is|came evenly/,
    }),
  },
  {
    id: "P15",
    sentence: "Slow and hostile clients cannot block other clients",
    engines: engineNames,
    minutes: 6,
    missing: needsLinux,
    load: async () => (await import("./hostile-connections.ts")).prove,
    control: () => [
      {
        plants: "canceled requests are carried out",
        faults: [
          { file: "src/platform/http/listener.ts", find: "  await context.beginnings.endOfArrivals();", replace: "" },
          {
            file: "src/platform/http/beginnings.ts",
            find: "const begunMax = 32;",
            replace: "const begunMax = 100_000;",
          },
          {
            file: "src/platform/http/beginnings.ts",
            find: "const roundMax = 64;",
            replace: "const roundMax = 100_000;",
          },
        ],
        shows: /others wait too long: rapidReset|another customer was refused/,
      },
      {
        plants: "notes are parsed where requests are answered, however deep they nest",
        faults: [
          {
            file: "src/library/export/make-export.ts",
            find: "(await files.writeSmall(owner, task.format, tree))",
            replace: '(await import("./one-file.ts")).writeOneFile(task.format, tree)',
          },
          ...["yamlDepthMax: 32", "yamlKeysInKeysMax: 1"].map((find) => ({
            file: "src/library/formats/read-limits.ts",
            find,
            replace: find.replace(/\d+/, "100_000"),
          })),
        ],
        shows: /(?:others wait too long|too much memory): fastReaders of exports/,
      },
    ],
  },
  {
    id: "P16",
    sentence: "No input makes the service fail, or return a response that the description does not contain",
    engines: engineNames,
    minutes: 4,
    isSideBySide: true,
    load: async () => (await import("./description.ts")).prove,
    control: (engine) => ({
      plants: engine === "sqlite" ? "a title may be one character too long" : "a record of a tag lacks its color",
      faults: [
        engine === "sqlite"
          ? { file: "src/contract/limits.ts", find: "titleLengthMax: 200,", replace: "titleLengthMax: 201," }
          : { file: "src/library/tags.store.ts", find: '"tag_color",', replace: "" },
      ],
      shows: /the description forbids this|the response is not as described/,
    }),
  },
  {
    id: "P24",
    sentence: "Several nodes behave as one",
    engines: ["postgres"],
    minutes: 2,
    load: async () => (await import("./nodes.ts")).prove,
    control: () => ({
      plants: "a commit that PostgreSQL aborts counts as carried out",
      faults: [
        {
          file: "src/platform/database/postgres-transaction.ts",
          find: "throw isRefusedCommit(error) ?",
          replace: 'if (isRefusedCommit(error)) return { command: "COMMIT" };\nthrow isRefusedCommit(error) ?',
        },
      ],
      shows: /lost: |status/,
    }),
  },
  {
    id: "P28",
    sentence: "The service behaves exactly like its reference model",
    engines: engineNames,
    minutes: 5,
    isSideBySide: true,
    load: async () => (await import("./model/behavior.ts")).prove,
    control: () => ({
      plants: "snippets in a folder are listed oldest first",
      faults: [
        {
          file: "src/library/snippets.store.ts",
          find: "order by s.created_at desc, s.id desc limit",
          replace: "order by s.created_at, s.id desc limit",
        },
      ],
      shows: /body\.data\.(snippets|folders)/,
    }),
  },
  {
    id: "P26",
    sentence: "A wrong clock changes no charge and opens no rate-limit window early",
    engines: engineNames,
    minutes: 4,
    isSideBySide: true,
    load: async () => (await import("./clock.ts")).prove,
    control: (engine) => ({
      plants:
        engine === "sqlite" ? "time goes back with the clock" : "the time of a key goes back with the server's clock",
      faults: [
        engine === "sqlite"
          ? {
              file: "src/platform/database/database.ts",
              find: "time = Math.max(wall(), time + (at - readAt));",
              replace: "time = wall();",
            }
          : {
              file: "src/metering/admission/admission.store.ts",
              find: "isWindowRead ? notBeforeLastCall(moment) : moment(0)",
              replace: "isWindowRead ? moment(0) : notBeforeLastCall(moment)",
            },
      ],
      shows: /instead of/,
    }),
  },
  {
    id: "P29",
    sentence:
      "After a kill under load, the first response comes within 5 seconds, with 1,000,000 snippets on a busy machine",
    engines: engineNames,
    minutes: 4,
    load: async () => (await import("./start.ts")).prove,
    control: () => ({
      plants: "the start is delayed by 6 seconds",
      faults: [
        {
          file: "src/service.ts",
          find: "const certificate = await loadCertificate(config);",
          replace: "await Bun.sleep(6_000); const certificate = await loadCertificate(config);",
        },
      ],
      shows: /a start took too long/,
    }),
  },
];
