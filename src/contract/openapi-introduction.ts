// The introduction of the OpenAPI document, in Markdown: what holds for every operation.
import { paginate } from "./envelope.ts";
import { errors } from "./errors.ts";
import { exampleOf } from "./example.ts";
import { limits } from "./limits.ts";
import { commonHeaders, exampleBody, headers, rateLimitHeaders, refusals } from "./openapi-responses.ts";
import { operationNames, operations } from "./operations.ts";

/** The text for a service under `basePath`. Its headings are the first entries in the navigation of the reference. */
export function introduction(basePath: string): string {
  return [
    "A service for text and code snippets, their variations, folders, and tags.",
    ...sections(basePath).map(([title, ...paragraphs]) => [`## ${title}`, ...paragraphs].join("\n\n")),
  ].join("\n\n");
}

/** A cost in words, such as "1 unit" or "1 per folder". */
export const costInWords = (words: string): string => (words === "1" ? "1 unit" : words);

const sections = (basePath: string): readonly (readonly [title: string, ...paragraphs: string[]])[] => [
  [
    "Base address",
    `Append each path to the base address, \`https://<host>:<port>${basePath}\`. IDs are query parameters. Bodies and responses are JSON in UTF-8. Only HTTPS is accepted, over HTTP/1.1 or HTTP/2. Unknown query parameters are ignored; unknown fields of a body are rejected.`,
    "A service that created its own certificate stores the authority's certificate with its data: add `--cacert data/tls/ca.crt` to curl commands.",
  ],
  [
    "Authentication",
    "Every call carries an API key. A key has access to all teams of its workspace, or to the teams it lists. It is shown once, when it is created. Deactivating a key takes effect on the next call.",
    code(
      "sh",
      `export API_KEY='cpl_…'\ncurl 'https://localhost:8443${basePath}${operations.getSnippet.path}?id=${exampleOf(operations.getSnippet).request.query.id}' \\\n  -H "Authorization: Bearer $API_KEY"`,
    ),
  ],
  [
    "Quota and costs",
    "Every call is charged in units from the workspace's quota. Each operation states its cost; the header `X-Request-Cost` of a response states the units charged. A failed call costs 1 unit. A call refused because of its key, the rate limit, the subscription, or the quota costs nothing. The quota renews on the 1st of each month, UTC; unused units do not roll over.",
    table(
      ["Operation", "Cost"],
      operationNames.map((name) => {
        const { method, path, cost } = operations[name];
        return [`\`${method} ${path}\``, costInWords(cost.words)];
      }),
    ),
  ],
  [
    "Rate limit",
    `${limits.requestsPerMinuteDefault} calls per key in any ${limits.rateWindowSeconds} seconds, unless the operator has set another number. Calls above the limit get status 429 with \`Retry-After\` and cost nothing. Responses to calls with a valid key state the limit:`,
    headerTable(["Retry-After", ...rateLimitHeaders]),
  ],
  [
    "Responses",
    "A successful response has status 200 and the same envelope everywhere: `success`, `data`, `usage`, and, for some operations, `metadata` and `pagination`. Records have snake_case names; requests and metadata have camelCase names. Timestamps are UTC with milliseconds. `usage.usageDeducted` is present where the cost depends on the call. Responses may gain fields; nothing is renamed or removed.",
    json(exampleOf(operations.deleteTags).response),
    "Every response has these headers, errors included:",
    headerTable(commonHeaders),
  ],
  [
    "Paging",
    `Lists of snippets and history records come in pages: \`limit\` (1 to ${limits.pageItemsMax}) is the size of a page, \`offset\` the number of items to skip. While \`pagination.hasMore\` is true, add \`limit\` to \`offset\` for the next page. \`totalPages\` is 0 where there is nothing.`,
    json({ pagination: paginate(limits.pageItemsDefault, 50, 120) }),
  ],
  [
    "Batches",
    `A batch has 1 to ${limits.batchItemsMax} items. Each item of a create or update succeeds or fails on its own: a failed item becomes an entry of \`data.errors\`, with its position in \`index\`, and the others are stored. If every item fails, the call fails with the error of the first item. The counts in \`metadata\` say how many items succeeded.`,
  ],
  [
    "Errors",
    "A failed call states why: `message` for people, `error` for programs. The codes do not change. Quote `requestId` when you ask the operator about a call.",
    json(exampleBody(errors.quotaExceeded(12, 3))),
    table(
      ["Status", "Meaning", "Codes"],
      refusals.map(({ status, description, examples }) => [
        String(status),
        description,
        [...new Set(examples.map(({ code }) => `\`${code}\``))].join(", "),
      ]),
    ),
    "An unknown path gets status 404 with the code `not_found`; a method that a path does not have gets 405 with the code `method_not_allowed` and the header `Allow`.",
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
