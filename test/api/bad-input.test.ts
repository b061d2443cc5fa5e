// Whatever is sent: never a 5xx, always an error body that names the field, the right cost, and nothing partly written
// (promises P2, P16, P17 and P18 in their quick form).
import { describe, expect, test } from "bun:test";
import type { Operation } from "../../src/contract/operation.ts";
import { type OperationName, operationNames, operations } from "../../src/contract/operations.ts";
import type { BodyCase } from "../support/case.ts";
import { cases } from "../support/cases.ts";
import { someOnPostgres } from "../support/engine.ts";
import { expectRefusal, inGroups } from "../support/expect.ts";
import { inputRefusal, sentToService } from "../support/input-refusal.ts";
import { type Started, startService, text } from "../support/service.ts";
import { makeTargets, type Targets } from "../support/targets.ts";
import { fieldsNeverSent, outputFieldsThatAreInputsElsewhere, uuid, wrongValues } from "../support/wrong-values.ts";

const withBody = operationNames.flatMap((name) => {
  const { body } = cases[name];
  return body ? [[name, body] as const] : [];
});

const queryOf = (name: OperationName, on: Targets) => cases[name].request(on).query ?? {};

/** Sends this text as the operation's body. */
function sendRaw(started: Started, name: OperationName, on: Targets, body: string | Uint8Array, headers = {}) {
  const { method, path }: Operation = operations[name];
  return started.call(method, path, { key: started.key.secret, query: queryOf(name, on), body, headers });
}

/** The value as the operation's body, or as the only item of a batch. */
const wrapped = ({ batch }: BodyCase, value: unknown): string =>
  JSON.stringify(batch === undefined ? value : { [batch]: [value] });

/** A copy with one more own property, which may be `__proto__`. */
function withProperty(target: object, name: string, value: unknown): object {
  return Object.defineProperty({ ...target }, name, { value, enumerable: true });
}

test("every field of every body is tried here", () => {
  for (const name of operationNames) {
    const { body }: Operation = operations[name];
    const schema = body?.kind === "batch" ? body.item : body?.kind === "file" ? undefined : body?.schema;
    const shape = schema && "shape" in schema ? Object.keys(schema.shape as object) : [];
    expect([name, shape.sort()]).toEqual([name, Object.keys(cases[name].body?.fields ?? {}).sort()]);
    expect(body?.kind === "batch" ? body.field : undefined).toBe(cases[name].body?.batch);
  }
});

describe.each(someOnPostgres(withBody))("%s", (name, body) => {
  const someTargets: Targets = {
    teamId: uuid,
    snippetId: uuid,
    trashedSnippetId: uuid,
    variationId: uuid,
    secondVariationId: uuid,
    folderId: uuid,
    tagId: uuid,
    shortcut: uuid,
    importId: uuid,
  };
  /** Checks that the parser and the service refuse each of these bodies with its message, and that nothing changes. */
  const refuseAll = async (wrong: readonly (readonly [message: string | RegExp, body: string | Uint8Array])[]) => {
    const query = new URLSearchParams(queryOf(name, someTargets)).toString();
    for (const [message, bytes] of wrong) {
      const refusal = inputRefusal(operations[name], query, bytes);
      if (typeof message === "string") expect(refusal).toBe(message);
      else expect(refusal).toMatch(message);
    }
    const started = await startService();
    const on = await makeTargets(started, started.team.id);
    const [before, unchanged] = [await started.balance(), await started.content()];
    const sent = sentToService(wrong);
    await inGroups(sent, async ([message, bytes]) =>
      expectRefusal(await sendRaw(started, name, on, bytes), 400, message),
    );
    expect(await started.balance()).toBe(before - sent.length);
    expect(await started.content()).toEqual(unchanged);
  };

  const whole = body.whole(someTargets);
  const literally = (path: string, rest: string) =>
    new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")} ${rest}`, "u");

  const unknownField = (path: string) => literally(path, "is not a known field(\\. Did you mean \\w+\\?)?$");

  test("takes its body with every field", async () => {
    const started = await startService();
    const on = await makeTargets(started, started.team.id);
    // A folder or tag cannot become its own parent.
    const aside = { ...on, folderId: (await started.given.folder()).id, tagId: (await started.given.tag()).id };
    const item = { ...body.whole(aside), ...("id" in body.fields && { id: body.whole(on).id }) };
    const answer = await sendRaw(started, name, on, wrapped(body, item), { "Content-Type": "image/png" });
    expect(answer.body).toMatchObject({ success: true });
  });

  test("refuses every wrong JSON type in every field, naming it", async () => {
    const wrong = Object.entries(body.fields).flatMap(([field, kind]) =>
      wrongValues(field, kind).map(
        ([path, value]) =>
          [literally(path, "(is required|must )"), wrapped(body, { ...whole, [field]: value })] as const,
      ),
    );
    expect(wrong.length).toBeGreaterThan(20);
    await refuseAll(wrong);
  });

  test("refuses a body without a required field, naming it", async () => {
    const lacking = body.required.map(
      (field) => [`${field} is required`, wrapped(body, { ...whole, [field]: undefined })] as const,
    );
    const one: Record<string, unknown> = { id: uuid };
    const none = body.required.some((field) => field !== "id")
      ? []
      : [
          [
            /^at least one of these fields is required: \w+(, \w+)*$/,
            wrapped(body, "id" in body.fields ? one : {}),
          ] as const,
        ];
    expect(lacking.length + none.length).toBeGreaterThan(0);
    await refuseAll([...lacking, ...none]);
  });

  test("refuses an unknown field in every object of the body, naming it; none reaches a prototype", async () => {
    const unknown = [...fieldsNeverSent, ...outputFieldsThatAreInputsElsewhere];
    const wrong = unknown.flatMap((field) => {
      const value =
        field === "__proto__" || field === "constructor" ? { polluted: true, prototype: { polluted: true } } : uuid;
      const into = (target: object, path: string, put: (changed: object) => string) =>
        field in target && Object.hasOwn(target, field)
          ? []
          : [[unknownField(`${path}${field}`), put(withProperty(target, field, value))] as const];
      const inContent =
        "content" in whole ? into(text("x"), "content.", (content) => wrapped(body, { ...whole, content })) : [];
      const inVariation =
        "additionalVariations" in whole
          ? [
              ...into({ variationName: "N", content: text("x") }, "additionalVariations[0].", (item) =>
                wrapped(body, { ...whole, additionalVariations: [item] }),
              ),
              ...into(text("x"), "additionalVariations[0].content.", (content) =>
                wrapped(body, { ...whole, additionalVariations: [{ variationName: "N", content }] }),
              ),
            ]
          : [];
      const inRoot = Object.hasOwn(body.fields, field) ? [] : into(whole, "", (item) => wrapped(body, item));
      const aroundBatch =
        body.batch === undefined || body.batch === field
          ? []
          : into({ [body.batch]: [whole] }, "", (root) => JSON.stringify(root));
      return [...inRoot, ...inContent, ...inVariation, ...aroundBatch];
    });
    expect(wrong.length).toBeGreaterThan(40);
    await refuseAll(wrong);
    expect(Object.hasOwn(Object.prototype, "polluted")).toBeFalse();
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test("refuses a body that is no JSON text in UTF-8", async () => {
    const good = wrapped(body, whole);
    const invalid = (...bytes: number[]) =>
      Buffer.concat([Buffer.from(good.slice(0, -1)), Buffer.from(',"x":"'), Buffer.from(bytes), Buffer.from('"}')]);
    const noJson: (string | Uint8Array)[] = [
      ...[
        " ",
        "{",
        good.slice(0, -1),
        `${good}x`,
        `${good}${good}`,
        `${good},`,
        good.replaceAll('"', "'"),
        `/* */${good}`,
        `\ufeff${good}`,
      ],
      ...[
        "undefined",
        "NaN",
        "Infinity",
        "{a:1}",
        '{"a":1,}',
        '{"a":.1}',
        '{"a":01}',
        '{"a":"\t"}',
        '{"a":"\\x41"}',
        '{"a":"\\ud8"}',
        "title=T",
        "<xml/>",
        `${good}\0`,
        "\0",
      ],
      ...[
        invalid(0xff),
        invalid(0xc0, 0x80),
        invalid(0xed, 0xa0, 0x80),
        invalid(0xf5, 0x80, 0x80, 0x80),
        invalid(0xe2, 0x82),
        invalid(0x80),
      ],
      ...[
        Buffer.from(good, "utf16le"),
        Bun.gzipSync(Buffer.from(good)),
        Buffer.from([0xff, 0xfe]),
        Buffer.from([0xef, 0xbb, 0xbf]),
      ],
    ];
    await refuseAll(noJson.map((bytes) => ["The request body is not valid JSON", bytes] as const));
    await refuseAll(
      ["null", "true", "5", '"x"', "[]", `[${good}]`, "1e400"].map(
        (json) => ["The request body must be an object", json] as const,
      ),
    );
  });

  test("refuses nesting of any depth", async () => {
    const depth = 200_000;
    const arrays = "[".repeat(depth) + "]".repeat(depth);
    const objects = [...Array(depth / 4).fill('{"a":'), "1", ...Array(depth / 4).fill("}")].join("");
    const [field = ""] = Object.keys(body.fields);
    const deep = [
      arrays,
      objects,
      "[".repeat(2 * depth),
      '{"a":'.repeat(depth / 2),
      ...[arrays, objects].map((value) => wrapped(body, { ...whole, [field]: "DEEP" }).replace('"DEEP"', value)),
    ];
    await refuseAll(
      deep.map(
        (json) => [/not valid JSON|must be|must not have more than|is required$|is not a known field/, json] as const,
      ),
    );
  });

  test("refuses a body of more than 8 MiB with 413, for 1 unit", async () => {
    const started = await startService();
    const on = await makeTargets(started, started.team.id);
    const [before, unchanged] = [await started.balance(), await started.content()];
    const tooLarge = wrapped(body, whole).padEnd(8 * 1024 * 1024 + 1, " ");
    expectRefusal(await sendRaw(started, name, on, tooLarge), 413, "Request body is too large");
    expect(await started.balance()).toBe(before - 1);
    expect(await started.content()).toEqual(unchanged);
  });
});

describe("an operation without a body", () => {
  const bare = operationNames.filter((name) => cases[name].body === undefined && operations[name].method === "DELETE");
  test.each(bare)("%s does not read one", async (name) => {
    const started = await startService();
    for (const body of ["{", '{"id":"x","ids":[],"__proto__":{}}', Buffer.alloc(1_000_000, 0xff)]) {
      const on = await makeTargets(started, started.team.id);
      const { method, path }: Operation = operations[name];
      const answer = await started.call(method, path, { key: started.key.secret, query: queryOf(name, on), body });
      expect(answer.body).toMatchObject({ success: true });
    }
  });
});

describe("a batch with one bad item among good ones", () => {
  test.each(withBody.filter(([, body]) => body.batch !== undefined))(
    "%s: every wrong value is that item's error alone",
    async (name, body) => {
      const started = await startService();
      const creates = operations[name].method === "POST";
      /** Good items that share no folder and no tag. */
      const goodItems = async (count: number, on: Targets) => {
        const { client, team } = started;
        const all = Array.from({ length: count }, (_, index) => `${index}`);
        const folders = await client.postFolders({
          folders: all.map((folderName) => ({ folderName, folderColor: "c", teamId: team.id })),
        });
        const tags = await client.postTags({
          tags: all.map((tagName) => ({ tagName, tagColor: "c", teamId: team.id })),
        });
        return all.map((_, index) => {
          const [folder, tag] = [folders.data.createdFolders[index], tags.data.createdTags[index]];
          if (!folder || !tag) throw new Error("folders and tags are created in order");
          const {
            parentFolderId: _folder,
            parentTagId: _tag,
            ...item
          } = body.whole({
            ...on,
            folderId: folder.id,
            tagId: tag.id,
          });
          return item;
        });
      };
      const wrong = [
        ...Object.entries(body.fields).flatMap(([field, kind]) =>
          wrongValues(field, kind).map(([path, value]) => [path, field, value] as const),
        ),
        ...fieldsNeverSent.map((field) => [field, field, uuid] as const),
      ];
      // In batches of a hundred: valid and invalid items alternate.
      for (let at = 0; at < wrong.length; at += 50) {
        const some = wrong.slice(at, at + 50);
        const on = await makeTargets(started, started.team.id);
        const good = await goodItems(2 * some.length, on);
        const items = some.map(([, field, value], index) => {
          const [fine = {}, base = {}] = good.slice(2 * index, 2 * index + 2);
          return [
            fine,
            withProperty(Object.fromEntries(Object.entries(base).filter(([key]) => key !== field)), field, value),
          ];
        });
        const answer = await sendRaw(started, name, on, JSON.stringify({ [body.batch ?? ""]: items.flat() }));
        expect(answer.status).toBe(200);
        expect(answer.body.metadata).toEqual({
          requestedCount: 2 * some.length,
          [creates ? "createdCount" : "updatedCount"]: some.length,
          failedCount: some.length,
        });
        expect(answer.body.usage.usageDeducted).toBe(some.length);
        answer.body.data.errors.forEach((error: { index: number; message: string; error: string }, index: number) => {
          expect([error.index, error.error]).toEqual([2 * index + 1, "invalid_request"]);
          expect(error.message).toStartWith(`${some[index]?.[0]} `);
        });
      }
    },
  );
});

describe("ids of another workspace in a body", () => {
  test.each(someOnPostgres(withBody))("%s: refused, nothing changed in either", async (name, body) => {
    const [started, stranger] = [await startService(), await startService()];
    const on = await makeTargets(started, started.team.id);
    const aside = { ...on, folderId: (await started.given.folder()).id, tagId: (await started.given.tag()).id };
    const theirs = await makeTargets(stranger, stranger.team.id);
    const [unchanged, theirContent, before] = [
      await started.content(),
      await stranger.content(),
      await started.balance(),
    ];
    const own = { ...body.whole(aside), ...("id" in body.fields && { id: body.whole(on).id }) };
    const foreign = body.whole(theirs);
    const idFields = Object.entries(body.fields)
      .filter(([, kind]) => /id/.test(kind))
      .map(([field]) => field);
    const noun = name.includes("Folder") ? "Folder" : "Tag";
    for (const field of idFields) {
      const answer = await sendRaw(started, name, on, wrapped(body, { ...own, [field]: foreign[field] }));
      if (field === "teamId") expectRefusal(answer, 404, "Team not found");
      else if (field === "id") expectRefusal(answer, 404, `${noun} not found`);
      else if (field === "snippetIds") expectRefusal(answer, 404, "Snippet not found");
      else if (name === "putSnippetVariationsOrder")
        expectRefusal(answer, 400, "variationIds must contain all variations of the snippet");
      else if (field === "variationIds") expectRefusal(answer, 404, "Variation not found");
      else expectRefusal(answer, 400, new RegExp(`^${field} must be (a folder|a tag|tags) of the same team$`));
    }
    if (idFields.includes("tagIds")) {
      const mixed = wrapped(body, { ...own, tagIds: [on.tagId, theirs.tagId] });
      expectRefusal(await sendRaw(started, name, on, mixed), 400, "tagIds must be tags of the same team");
    }
    expect(await started.content()).toEqual(unchanged);
    expect(await stranger.content()).toEqual(theirContent);
    expect(await started.balance()).toBe(before - idFields.length - (idFields.includes("tagIds") ? 1 : 0));
  });

  test("an id of the wrong kind of resource is an unknown one", async () => {
    const started = await startService();
    const on = await makeTargets(started, started.team.id);
    const { client, team, content } = started;
    const unchanged = await content();
    const answers = await Promise.allSettled([
      client.getSnippet({ id: on.folderId }),
      client.getFolder({ folderId: on.tagId }),
      client.getTag({ tagId: on.snippetId }),
      client.getSnippetVariationHistory({ variationId: on.snippetId }),
      client.deleteSnippetVariation({ variationId: team.id }),
      client.postFolder({ folderName: "N", folderColor: "c", teamId: on.folderId }),
    ]);
    expect(answers.map((answer) => (answer.status === "rejected" ? answer.reason.message : "succeeded"))).toEqual([
      "Snippet not found",
      "Folder not found",
      "Tag not found",
      "Variation not found",
      "Variation not found",
      "Team not found",
    ]);
    expect(await content()).toEqual(unchanged);
  });
});
