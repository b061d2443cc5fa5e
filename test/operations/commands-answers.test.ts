// The output of the operator's commands, every field of their JSON, and which values they refuse.
import { expect } from "bun:test";
import { newSecret } from "../../src/metering/keys/secret.ts";
import { formatDelivery } from "../../src/operations/commands/workspace-alerts.ts";
import { engine, testSomeOnPostgres as test } from "../support/engine.ts";
import { newId, withoutLimits } from "../support/expect.ts";
import { environment, expectFailure, makeWorkspace, program, run, runJson, type Settings } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

const data = temporaryDirectory();
const here: Settings = { COMMONPLACE_DATA_DIRECTORY: data };
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

test("a workspace can be created, listed, shown, and changed", async () => {
  const created = await runJson(["workspace", "create", "--name", "First", "--monthly-requests", "7"], here);
  expect(created).toEqual({
    id: newId,
    name: "First",
    monthly_requests: 7,
    subscription: "active",
    sign_in_policy: "any",
    deleted_at: null,
    created_at: timestamp,
    updated_at: created.created_at,
  });
  const [listed, shown] = await Promise.all([
    runJson(["workspace", "list"], here),
    runJson(["workspace", "show", "--workspace", created.id.toUpperCase()], here),
  ]);
  expect(listed).toContainEqual(created);
  const storage = { bytes: 0, bytes_max: 1_073_741_824, is_own_limit: false };
  const credit = { limit_cents: 0, open_cents: 0, remaining_cents: 0 };
  expect(shown).toEqual({ ...created, storage, credit });
  const update = ["workspace", "change", "--workspace", created.id];
  const changed = await runJson(
    [...update, "--name", "Second", "--monthly-requests=0", "--subscription", "inactive"],
    here,
  );
  expect(changed).toEqual({
    ...created,
    name: "Second",
    monthly_requests: 0,
    subscription: "inactive",
    updated_at: timestamp,
    storage,
    credit,
  });
  expect(await runJson([...update, "--name=Third", "--storage-mib", "3"], here)).toEqual({
    ...changed,
    name: "Third",
    updated_at: timestamp,
    storage: { bytes: 0, bytes_max: 3_145_728, is_own_limit: true },
  });
  expect((await runJson([...update, "--storage-mib=default"], here)).storage).toEqual(storage);
  expect((await runJson([...update, "--credit-limit", "250.50"], here)).credit).toEqual({
    limit_cents: 25_050,
    open_cents: 0,
    remaining_cents: 25_050,
  });
  expect((await runJson([...update, "--sign-in", "second-factor"], here)).sign_in_policy).toBe("second_factor");
  expect((await runJson([...update, "--sign-in", "any"], here)).sign_in_policy).toBe("any");
  expectFailure(
    await run([...update, "--sign-in", "single-sign-on"], here),
    1,
    "single sign-on is not set up on this service",
  );
});

test("a workspace's allowance is the setting's where none is given", async () => {
  const workspace = await runJson(["workspace", "create", "--name", "x"], {
    ...here,
    COMMONPLACE_MONTHLY_REQUESTS: "12",
  });
  expect(workspace.monthly_requests).toBe(12);
});

test("a team", async () => {
  const { workspace } = await makeWorkspace(here);
  const team = await runJson(["team", "create", "--workspace", workspace, "--name", "Berlin"], here);
  expect(team).toEqual({ id: newId, name: "Berlin", workspace_id: workspace, created_at: timestamp, deleted_at: null });
  const teams = await runJson(["team", "list", "--workspace", workspace], here);
  expect(teams.map(({ name }: { name: string }) => name)).toEqual(["Its team", "Berlin"]);
  expect(teams[1]).toEqual(team);
});

test("a key for all teams; the secret is told at creation and never again", async () => {
  const { workspace } = await makeWorkspace(here);
  const created = await runJson(["key", "create", "--workspace", workspace, "--name", "All", "--all-teams"], here);
  const { secret, ...key } = created;
  expect(key).toEqual({
    id: newId,
    workspace_id: workspace,
    name: "All",
    secret_start: secret.slice(0, 8),
    status: "active",
    is_all_teams: true,
    team_permissions: [],
    created_at: timestamp,
    created_by: null,
    last_used_at: null,
    deactivated_at: null,
    previous_secret_until: null,
    ...withoutLimits,
  });
  expect(secret).toMatch(/^cpl_[0-9A-Za-z]{38}$/);
  const [list, show, people] = await Promise.all([
    runJson(["key", "list", "--workspace", workspace], here),
    runJson(["key", "show", "--key", key.id], here),
    run(["key", "list", "--workspace", workspace], here),
  ]);
  expect(list[1]).toEqual(key);
  expect(show).toEqual(key);
  expect(JSON.stringify(list) + people.stdout).not.toContain(secret.slice(8));
  expect(people.stdout).not.toContain("LIMITS");
  await runJson(["key", "change", "--key", key.id, "--scope", "read", "--monthly-budget", "5"], here);
  const limited = (await run(["key", "list", "--workspace", workspace], here)).stdout.split("\n");
  expect(limited.filter((one) => /(LIMITS|-|read, budget)$/.test(one))).toHaveLength(3);
});

test("a key for some teams: --team repeated, and several after one --team", async () => {
  const { workspace, team } = await makeWorkspace(here);
  const foreignTeam = (await makeWorkspace(here)).team;
  const other = (await runJson(["team", "create", "--workspace", workspace, "--name", "Other"], here)).id;
  const create = ["key", "create", "--workspace", workspace, "--name", "Some"];
  const [one, repeated, inRow] = await Promise.all([
    runJson([...create, "--team", team], here),
    runJson([...create, "--team", team.toUpperCase(), "--team", other, "--team", team], here),
    runJson([...create, "--team", team, other], here),
  ]);
  expect(one).toMatchObject({ is_all_teams: false, team_permissions: [team] });
  for (const key of [repeated, inRow]) expect(key).toMatchObject({ team_permissions: [team, other].sort() });
  const people = await run(["key", "show", "--key", inRow.id], here);
  expect(people.stdout).toContain(`teams      ${team}\n           ${other}\n`);

  const hint = "./commonplace key create --help";
  const [none, both, foreign] = await Promise.all([
    run(create, here),
    run([...create, "--all-teams", "--team", team], here),
    run([...create, "--team", team, foreignTeam], here),
  ]);
  expectFailure(none, 2, "use either --all-teams or --team ID", hint);
  expectFailure(both, 2, "use either --all-teams or --team ID", hint);
  expectFailure(foreign, 1, `team not found: ${foreignTeam}`);
});

test("alerts: off turns one off, and none clears a value", async () => {
  const { workspace } = await makeWorkspace(here);
  const words = ["workspace", "alerts", "--workspace", workspace];
  const set = ["--quota", "off", "--refused-requests", "50", "--webhook", "https://hooks.invalid/a"];
  expect(await runJson([...words, ...set], here)).toMatchObject({
    ...{ is_quota_on: false, is_refusals_on: true, refusals_max: 50 },
    webhook: { url: "https://hooks.invalid/a" },
  });
  expect(await runJson([...words, "--refused-requests", "none", "--webhook", "none"], here)).toMatchObject({
    ...{ is_quota_on: false, is_refusals_on: false },
    webhook: null,
  });
  const { stdout } = await run(words, here);
  expect(stdout).toMatch(/^quota +off$/m);
  expect(stdout).toMatch(/^refused requests +none$/m);
  expectFailure(
    await run([...words, "--refused-requests", "off"], here),
    2,
    "--refused-requests must be a whole number from 1 to 1000000, or none",
    "./commonplace workspace alerts --help",
  );
});

test("the limits of a key: set at creation, changed one by one, and removed with none", async () => {
  const { workspace } = await makeWorkspace(here);
  const create = ["key", "create", "--workspace", workspace, "--name", "CI", "--all-teams"];
  const limits = ["--scope", "read", "--expires", "2099-12-31", "--network", "203.0.113.9/24", "2001:DB8::1"];
  const made = await runJson([...create, ...limits, "--monthly-budget", "5000", "--requests-per-minute", "10"], here);
  const set = {
    scope: "read",
    expires_at: "2100-01-01T00:00:00.000Z",
    networks: ["203.0.113.0/24", "2001:db8::1/128"],
    monthly_budget: 5_000,
    budget_used: 0,
    requests_per_minute: 10,
  };
  expect(made).toMatchObject(set);
  const change = (...words: string[]) => runJson(["key", "change", "--key", made.id, ...words], here);
  expect(await change("--name", "CI, west", "--monthly-budget", "0")).toMatchObject({
    ...set,
    name: "CI, west",
    monthly_budget: 0,
  });
  const people = await run(["key", "show", "--key", made.id], here);
  expect(people.stdout).toContain("scope       read\n");
  expect(people.stdout).toContain("networks    203.0.113.0/24\n            2001:db8::1/128\n");
  expect(people.stdout).toContain("budget      0 units a month, 0 used\n");
  const none = [
    "--scope",
    "read-write",
    "--expires",
    "none",
    "--network",
    "none",
    "--monthly-budget",
    "none",
    "--requests-per-minute",
    "none",
  ];
  expect(await change(...none)).toMatchObject(withoutLimits);

  const [rate, day, network, past, nothing] = await Promise.all([
    run([...create, "--requests-per-minute", "21"], here),
    run([...create, "--expires", "2099-02-30"], here),
    run([...create, "--network", "203.0.113.0/33"], here),
    run([...create, "--expires", "2020-01-01"], here),
    run(["key", "change", "--key", made.id], here),
  ]);
  const hint = "./commonplace key create --help";
  expectFailure(
    rate,
    2,
    "--requests-per-minute must be at most 20, the value of COMMONPLACE_REQUESTS_PER_MINUTE",
    hint,
  );
  expectFailure(day, 2, "--expires must be a date, such as 2026-12-31", hint);
  expectFailure(network, 2, "--network must be a network or an address, such as 203.0.113.0/24 or 2001:db8::/32", hint);
  expectFailure(past, 1, "expiresAt must be in the future");
  expectFailure(
    nothing,
    2,
    "nothing to change: use --name, a team option, or a limit",
    "./commonplace key change --help",
  );
});

test("key identify names the owner of a secret, and nothing else; what it does not know is status 1", async () => {
  const { workspace } = await makeWorkspace(here);
  const create = ["key", "create", "--workspace", workspace, "--name", "Leaked", "--all-teams"];
  const { secret, id } = await runJson(create, here);
  const names = await runJson(["workspace", "list"], here);
  const { name } = names.find((one: { id: string }) => one.id === workspace);
  const identify = (text: string) => runJson(["key", "identify", text], here);
  const found = { workspace: { id: workspace, name }, key: { id, name: "Leaked" } };
  expect(await identify(secret)).toEqual({ ...found, state: "active" });
  const rotated = (await runJson(["key", "rotate", "--key", id, "--overlap", "1h"], here)).secret;
  expect((await identify(secret)).state).toBe("active");
  await run(["key", "deactivate", "--key", id], here);
  const [old, current] = await Promise.all([identify(secret), identify(rotated)]);
  expect([old.state, current.state]).toEqual(["inactive", "inactive"]);

  const child = Bun.spawn([...program, "key", "identify"], {
    env: await environment(here),
    stdin: new Blob([`  ${rotated}\nand more\n`]),
    stdout: "pipe",
  });
  const [people, status] = [await new Response(child.stdout).text(), await child.exited];
  expect([people, status]).toEqual([
    `workspace     ${name}\nworkspace ID  ${workspace}\nkey           Leaked\nkey ID        ${id}\nstate         inactive\n`,
    0,
  ]);
  expect(people).not.toContain(rotated.slice(4, 8));
  for (const unknown of [`${secret.slice(0, -1)}_`, newSecret(), "hunter2"])
    expectFailure(
      await run(["key", "identify", unknown], here),
      1,
      "this secret does not belong to any API key or access token of this instance",
    );
});

test("wrong values are refused with the rule, status 2", async () => {
  const { workspace } = await makeWorkspace(here);
  const grant = ["quota", "grant", "--workspace", workspace, "--reference", "r"];
  const update = ["workspace", "change", "--workspace", workspace];
  const rules: [string[], string][] = [
    [[...grant, "--package", "2M"], "--package must be one of: 100K, 500K, 1M"],
    [[...update, "--subscription", "paused"], "--subscription must be active or inactive"],
    [[...update, "--credit-limit", "ten"], "--credit-limit must be an amount such as 250 or 250.00, at most 1000000"],
    [
      update,
      "nothing to change: use --name, --monthly-requests, --subscription, --sign-in, --storage-mib, or --credit-limit",
    ],
    [
      [...update, "--sign-in", "2fa"],
      "--sign-in must be one of: any, second-factor, single-sign-on, second-factor-or-single-sign-on",
    ],
    [[...update, "--storage-mib", "1GB"], "--storage-mib must be a whole number from 0 to 1000000000, or default"],
    ...["-1", "1.5", "1e3", "1000000000001", "many"].map((wrong): [string[], string] => [
      [...update, "--monthly-requests", wrong],
      "--monthly-requests must be a whole number from 0 to 1000000000000",
    ]),
    ...["2026", "2026-13", "2026-1", "26-01"].map((wrong): [string[], string] => [
      ["usage", "--workspace", workspace, "--month", wrong],
      "--month must be YYYY-MM",
    ]),
    [["invoice", "list", "--workspace", workspace, "--month", "now"], "--month must be YYYY-MM"],
  ];
  await Promise.all(
    rules.map(async ([words, message]) => {
      const name = `${words[0]} ${words[1]}`.replace(" --workspace", "");
      expectFailure(await run(words, here), 2, message, `./commonplace ${name} --help`);
    }),
  );
});

test("a name can have 1 to 200 characters of any kind, except control characters", async () => {
  const { workspace } = await makeWorkspace(here);
  const rule = "must be 1 to 200 characters, without control characters";
  const good = ["Straße 7", "日本語のチーム", "👩‍👩‍👧", "-x", "a b", "'; drop table teams; --", "🙂".repeat(200)];
  const bad = [
    "🙂".repeat(201),
    "x".repeat(100_000),
    " ",
    "line\nline",
    "\u001b[31mred",
    "bell\u0007",
    "\u0085",
    "\u202egnp.exe",
    "a\u2028b",
  ];
  const create = ["team", "create", "--workspace", workspace, "--name"];
  const teams = await Promise.all(good.map((name) => runJson([...create, name], here)));
  expect(teams.map(({ name }) => name)).toEqual(good);
  const refusals = await Promise.all(bad.map((name) => run([...create, name], here)));
  for (const refusal of refusals) expectFailure(refusal, 2, `--name ${rule}`, "./commonplace team create --help");

  const others: [string[], string][] = [
    [["workspace", "create", "--name", "\t"], "name"],
    [["workspace", "change", "--workspace", workspace, "--name", "\t"], "name"],
    [["key", "create", "--workspace", workspace, "--all-teams", "--name", "\t"], "name"],
    [["quota", "grant", "--workspace", workspace, "--package", "1M", "--reference", "\t"], "reference"],
  ];
  await Promise.all(
    others.map(async ([words, option]) =>
      expectFailure(await run(words, here), 2, `--${option} ${rule}`, `./commonplace ${words[0]} ${words[1]} --help`),
    ),
  );
});

test("invoice list: finished months, one of them line by line", async () => {
  const { workspace } = await makeWorkspace(here);
  await runJson(["quota", "show", "--workspace", workspace], here);
  // A finished month as the service would have left it: 12,345 units drawn, and a package bought.
  const connection = await engine.connect(data);
  const id = () => crypto.randomUUID();
  await connection.run(
    "insert into quota_months (workspace_id, month, balance) values (?, '2026-01', ?)",
    workspace,
    187655,
  );
  for (const [kind, reference] of [
    ["monthly", null],
    ["100K", `invoice ${workspace}`],
  ] as const)
    await connection.run(
      `insert into quota_grants (workspace_id, id, month, kind, units, reference, created_at)
       values (?, ?, '2026-01', ?, 100000, ?, '2026-01-05T00:00:00.000Z')`,
      workspace,
      id(),
      kind,
      reference,
    );
  await connection.close();

  const list = ["invoice", "list", "--workspace", workspace];
  expect(await runJson(list, here)).toEqual([]);
  const billing = { ...here, COMMONPLACE_BILLING_FROM: "2026-01" };
  const [invoices, people, detail, none] = await Promise.all([
    runJson(list, billing),
    run(list, billing),
    run([...list, "--month", "2026-01"], billing),
    run([...list, "--month", "2026-02"], billing),
  ]);
  expect(invoices).toHaveLength(1);
  expect(invoices[0]).toMatchObject({
    workspace_id: workspace,
    month: "2026-01",
    issued_at: "2026-02-01T00:00:00.000Z",
    total_cents: 1123,
    paid_cents: 1000,
    due_cents: 123,
  });
  expect(people.stdout).toBe(
    "MONTH    NUMBER  ISSUED       TOTAL    PAID    DUE\n2026-01  draft   2026-02-01  $11.23  $10.00  $1.23\n",
  );
  expect(detail.stdout).toContain("Units from the monthly allowance   12,345   $1.23  due    -\n");
  expect(none.stdout).toBe("No invoices.\n");
});

test("a delivery to a webhook is one line that says why it failed", async () => {
  const delivery = { type: "key.refused", created_at: "2026-03-15T12:00:00.000Z" } as const;
  const lines = (
    [
      { state: "waiting", last_status: null, last_failure: null },
      { state: "failed", last_status: 500, last_failure: null },
      { state: "failed", last_status: null, last_failure: "certificate" },
    ] as const
  ).map((outcome) => formatDelivery({ ...delivery, ...outcome }).replace(/^.*: /, ""));
  expect(lines).toEqual(["waiting", "failed, status 500", "failed, the certificate is not trusted"]);
});
