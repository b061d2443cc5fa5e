// The introduction of the OpenAPI document, in Markdown: what applies to every operation.
import { paginate } from "./envelope.ts";
import { errors } from "./errors.ts";
import { exampleOf } from "./example.ts";
import { limits } from "./limits.ts";
import { commonHeaders, exampleBody, headers, rateLimitHeaders, refusals } from "./openapi-responses.ts";
import { operationNames, operations } from "./operations.ts";

/** The text for a service under `apiPath`. Its headings are the first entries in the navigation of the reference. */
export function introduction(apiPath: string): string {
  return [
    "Create, read, update, and delete snippets of text and code, their variations, folders, and tags, one at a time or in batches of up to 100.",
    ...sections(apiPath).map(([title, ...paragraphs]) => [`## ${title}`, ...paragraphs].join("\n\n")),
  ].join("\n\n");
}

/** A cost in words, such as "1 unit", "1 unit per folder" or "1 unit + 1 per snippet returned". */
export const costInWords = (words: string): string => words.replace(/^1(?= per | \+|$)/, "1 unit");

const sections = (apiPath: string): readonly (readonly [title: string, ...paragraphs: string[]])[] => [
  [
    "Base URL",
    `Append the path of an operation to the base URL, \`https://<host>:<port>${apiPath}\`. IDs are query parameters, not parts of the path: \`GET ${operations.getSnippet.path}?id=…\`. Request and response bodies are JSON in UTF-8.`,
    "The service accepts HTTPS only, over HTTP/1.1 or HTTP/2. It ignores unknown query parameters and rejects unknown fields in a body.",
    "If the service created its own certificate, add `--cacert data/tls/ca.crt` to your `curl` commands. The file is in the service's data directory.",
  ],
  [
    "Authentication",
    "Send an API key with every request, as a bearer token. Keys are created in the console, under **API access**, and shown once. A key has access to all teams of its workspace or to selected teams. A deactivated key stops working immediately.",
    "A key can also be read-only (`GET`), expire on a date, work only from certain networks, have a budget of units per calendar month (UTC), or have a lower rate limit. Changes apply to the next request. In the last 14 days before a key expires, responses have the header `X-Key-Expires-At`.",
    code(
      "sh",
      `export API_KEY='cpl_…'\ncurl 'https://localhost:8443${apiPath}${operations.getSnippet.path}?id=${exampleOf(operations.getSnippet).request.query.id}' \\\n  -H "Authorization: Bearer $API_KEY"`,
    ),
  ],
  [
    "Units and costs",
    "Requests are charged in units. Units are credited to the workspace in advance: the monthly allowance on the 1st (UTC), and add-on packages when they are bought. A request that costs more than the balance is refused with status 403. Unused units expire at the end of the month. Requests draw from the allowance first, then from packages in order of purchase. If the service bills its workspaces, an invoice on the 1st bills the allowance units used in the previous month, and a package is charged in full when it is bought.",
    "The cost of each operation is in the table below and in the description of the operation. Every response states how many units the request cost (`X-Request-Cost`) and, if it succeeded, how many are left (`usage.remainingRequests`).",
    "A request that fails costs 1 unit, whatever its size, even if the key cannot access the team. These failures cost nothing:\n\n- The key is invalid.\n- The request is refused because of a limit of the key, the rate limit, the balance, the storage limit, or an inactive subscription.\n- The first request with the same `Idempotency-Key` is still in progress.\n- The service itself fails (5xx). The exception is `outcome_unknown`: the request may have been carried out and charged.",
    table(
      ["Operation", "Cost in units"],
      operationNames.map((name) => {
        const { method, path, cost } = operations[name];
        return [`\`${method} ${path}\``, cost.words];
      }),
    ),
  ],
  [
    "Rate limit",
    `Each key can send ${limits.requestsPerMinuteDefault} requests in any ${limits.rateWindowSeconds}-second window, unless the operator has set a different limit, or the key has a lower one. Requests over the limit get status 429 and cost nothing. Wait for the number of seconds in \`Retry-After\`, then send the request again.`,
    "Responses to requests with a valid key have these headers. `Retry-After` is present only if you have to wait, and `X-Key-Expires-At` only in the last 14 days before the key expires:",
    headerTable(["Retry-After", ...rateLimitHeaders]),
  ],
  [
    "Safe retries",
    `If a response is lost, you cannot tell whether the request was carried out. To be able to repeat a POST, PUT, or DELETE request safely, send it with an \`Idempotency-Key\`: 1 to ${limits.idempotencyKeyLengthMax} visible ASCII characters, such as a UUID. You can put it in quotes: with and without them, it is the same key. Use a new one for each new request. For ${limits.repeatSeconds / 3_600} hours, the same request with the same key is carried out and charged only once. A repeat gets the first response, byte for byte, with the header \`Idempotency-Replayed: true\`. It costs nothing, but counts toward the rate limit.`,
    "- A request is the same if its method, path, query, and body are the same, byte for byte. A different request with an idempotency key that was already used gets status 422.\n- While the first request is in progress, a repeat gets status 409 with `Retry-After`.\n- Some requests are not remembered: those refused because of an invalid API key, a limit of the key, the rate limit, the subscription, the balance, storage, or the size of the request, and those that failed because of the service. Once the cause is gone, you can use the same idempotency key again.\n- Every API key has its own idempotency keys. They remain valid when you rotate its secret. GET requests ignore the header.",
  ],
  [
    "Responses",
    "A successful response has status 200 and the fields `success`, `data`, and `usage`. Some operations add `metadata` or `pagination`. `usage.usageDeducted`, the units charged, is present if the cost depends on the number of items.",
    json(exampleOf(operations.deleteTags).response),
    "Fields of records are in snake_case. All other fields, in requests and responses, are in camelCase. Timestamps are UTC, with milliseconds. New fields may be added to responses, and new values to fields that are marked with `x-extensible-enum`; existing ones are never renamed or removed.",
    "Every response, including errors, has these headers:",
    headerTable(commonHeaders),
  ],
  [
    "Paging",
    `Operations that list snippets or history records return up to \`limit\` items (1 to ${limits.pageItemsMax}). Operations with the parameter \`offset\` skip that number of items. While \`pagination.hasMore\` is true, add \`limit\` to \`offset\` to get the next page. \`totalPages\` is 0 if there are no items. To get older history records, pass \`toDate\`.`,
    json({ pagination: paginate(limits.pageItemsDefault, 50, 120) }),
    "Lists with the parameter `cursor` return `pagination.nextCursor` instead, which is null on the last page. Pass it as `cursor` to get the next page. You can change `limit` between pages, but no other parameter. These cursors do not expire. An item that exists unchanged during all your requests is returned exactly once. If the text of a page would exceed the limit of one response, the page ends early, with at least one item.",
    "`GET /changes` returns its `cursor` in `data`, even if there are no more changes, and this cursor expires.",
  ],
  [
    "Additional operations",
    "The following operations are marked with `x-addition`. They find and list items whose IDs you do not know, manage variations and deleted snippets, import and export files, and list changes. All use the same keys, limits, and errors.",
    table(
      ["Operation", "What it does"],
      operationNames.flatMap((name) => {
        const { method, path, summary, isAddition } = operations[name];
        return isAddition ? [[`\`${method} ${path}\``, summary]] : [];
      }),
    ),
  ],
  [
    "Batches",
    `A batch has 1 to ${limits.batchItemsMax} items. When you create or update items, each one succeeds or fails on its own: successful items are stored, and each failed item is listed in \`data.errors\` with its position (\`index\`, from 0), and with the \`message\` and the code (\`error\`) that it would get on its own. If every item fails, the request fails with the error of the first item. \`metadata\` counts the items that succeeded and failed.`,
  ],
  [
    "Errors",
    "An error response has a `message` for people and a code for programs (`error`). Codes never change. If you need the operator's help, include the `requestId`.",
    json(exampleBody(errors.quotaExceeded(12, 3))),
    table(
      ["Status", "Meaning", "Codes"],
      refusals.map(({ status, description, examples }) => [
        String(status),
        description,
        [...new Set(examples.map(({ code }) => `\`${code}\``))].join(", "),
      ]),
    ),
    "An unknown path gets status 404 with the code `not_found`. A method that the path does not support gets status 405 with the code `method_not_allowed`; the `Allow` header lists the supported methods.",
  ],
];

const code = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

const json = (value: unknown): string => code("json", JSON.stringify(value, null, 2));

const headerTable = (names: readonly string[]): string =>
  table(
    ["Header", "Meaning"],
    names.map((name) => [`\`${name}\``, headers[name]?.description ?? ""]),
  );

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
