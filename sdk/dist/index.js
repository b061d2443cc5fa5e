// sdk/src/errors.ts
class CommonplaceError extends Error {
  status;
  code;
  requestId;
  body;
  response;
  constructor(failure) {
    super(failure.message, failure.cause === undefined ? undefined : { cause: failure.cause });
    this.name = "CommonplaceError";
    this.status = failure.status;
    this.code = failure.code;
    this.requestId = failure.requestId;
    this.body = failure.body;
    this.response = failure.response;
  }
}

class AuthenticationError extends CommonplaceError {
  name = "AuthenticationError";
}

class ForbiddenError extends CommonplaceError {
  name = "ForbiddenError";
}

class QuotaExceededError extends CommonplaceError {
  name = "QuotaExceededError";
  requiredRequests;
  remainingRequests;
  constructor(failure, requiredRequests, remainingRequests) {
    super(failure);
    this.requiredRequests = requiredRequests;
    this.remainingRequests = remainingRequests;
  }
}

class NotFoundError extends CommonplaceError {
  name = "NotFoundError";
}

class InvalidRequestError extends CommonplaceError {
  name = "InvalidRequestError";
}

class RateLimitError extends CommonplaceError {
  name = "RateLimitError";
  retryAfterSeconds;
  constructor(failure, retryAfterSeconds) {
    super(failure);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

class ServiceError extends CommonplaceError {
  name = "ServiceError";
  retryAfterSeconds;
  constructor(failure, retryAfterSeconds) {
    super(failure);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

class ConnectionError extends CommonplaceError {
  name = "ConnectionError";
}

// sdk/src/operation.ts
function readCallInfo(headers) {
  const read = (name, pattern) => {
    const digits = pattern.exec(headers.get(name) ?? "")?.[1];
    return digits === undefined ? undefined : Number(digits);
  };
  const limit = read("RateLimit-Policy", /;\s*q=(\d+)/);
  const remaining = read("RateLimit", /;\s*r=(\d+)/);
  const resetSeconds = read("RateLimit", /;\s*t=(\d+)/);
  const isKnown = limit !== undefined && remaining !== undefined && resetSeconds !== undefined;
  return {
    requestId: headers.get("X-Request-Id") ?? undefined,
    cost: read("X-Request-Cost", /^(\d+)$/),
    rateLimit: isKnown ? { limit, remaining, resetSeconds } : undefined
  };
}

// sdk/src/answer.ts
var bodyTextLengthMax = 500;
function readAnswer(operation, answer, apiKey) {
  const response = readCallInfo(answer.headers);
  const body = parseJson(answer.text);
  if (isObject(body)) {
    const isSuccess = answer.status >= 200 && answer.status < 300;
    if (isSuccess && body.success === true)
      return Object.defineProperty(body, "response", { value: response });
    const message = text(body.message);
    if (!isSuccess && body.success === false && message !== undefined)
      return toError(answer, message, body, response);
  }
  return toForeignError(operation, { ...answer, text: answer.text.replaceAll(apiKey, "[API key]") }, response);
}
function toError({ status, headers }, message, body, response) {
  const code = text(body.error) ?? `status_${status}`;
  const requestId = text(body.requestId) ?? response.requestId;
  const failure = { message, status, code, requestId, body, response };
  if (status === 401)
    return new AuthenticationError(failure);
  if (code === "quota_exceeded") {
    const usage = isObject(body.usage) ? body.usage : {};
    return new QuotaExceededError(failure, count(usage.requiredRequests), count(usage.remainingRequests));
  }
  if (status === 403)
    return new ForbiddenError(failure);
  if (status === 404 && code !== "not_found")
    return new NotFoundError(failure);
  if (status === 400)
    return new InvalidRequestError(failure);
  return byStatus(status, headers, failure);
}
function toForeignError(operation, answer, response) {
  const { status, headers } = answer;
  const type = headers.get("Content-Type")?.split(";")[0] ?? "no content type";
  const message = `${operation.method} ${operation.path}: not an answer of the service (status ${status}, ${type}). Check baseUrl and what stands before the service`;
  const body = answer.text.slice(0, bodyTextLengthMax);
  const code = "unexpected_answer";
  return byStatus(status, headers, { message, status, code, requestId: response.requestId, body, response });
}
function byStatus(status, headers, failure) {
  if (status === 413)
    return new InvalidRequestError(failure);
  if (status === 429)
    return new RateLimitError(failure, readRetryAfter(headers));
  if (status >= 500)
    return new ServiceError(failure, readRetryAfter(headers));
  return new CommonplaceError(failure);
}
function readRetryAfter(headers) {
  const value = headers.get("Retry-After")?.trim() ?? "";
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(1, seconds);
}
function parseJson(json) {
  try {
    return JSON.parse(json);
  } catch {
    return;
  }
}
var isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
var text = (value) => typeof value === "string" ? value : undefined;
var count = (value) => typeof value === "number" ? value : undefined;

// sdk/src/exchange.ts
var timerSecondsMax = 2147483;
async function exchange(fetch, url, init, timeoutSeconds, signal) {
  signal.throwIfAborted();
  const controller = new AbortController;
  const abort = () => controller.abort(signal.reason);
  signal.addEventListener("abort", abort);
  let isTooLate = false;
  const timer = setTimeout(() => {
    isTooLate = true;
    controller.abort();
  }, milliseconds(timeoutSeconds));
  try {
    const response = await fetch(url, { ...init, signal: controller.signal });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (cause) {
    signal.throwIfAborted();
    throw isTooLate ? new ConnectionError({ code: "timeout", message: `No answer within ${timeoutSeconds} seconds` }) : new ConnectionError({ code: "connection_failed", message: "No answer from the service", cause });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}
function sleep(seconds, signal) {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, milliseconds(seconds));
    if (signal.aborted)
      abort();
    else
      signal.addEventListener("abort", abort);
  });
}
var milliseconds = (seconds) => Math.min(seconds, timerSecondsMax) * 1000;
async function withJoinedSignal(signals, work) {
  const controller = new AbortController;
  const releases = [];
  for (const signal of signals) {
    if (signal === undefined)
      continue;
    const abort = () => controller.abort(signal.reason);
    if (signal.aborted)
      abort();
    signal.addEventListener("abort", abort);
    releases.push(() => signal.removeEventListener("abort", abort));
  }
  try {
    return await work(controller.signal);
  } finally {
    for (const release of releases)
      release();
  }
}

// sdk/src/operations.generated.ts
var operations = {
  getSnippet: { name: "getSnippet", method: "GET", path: "/snippet", query: ["id"], body: "none" },
  postSnippet: { name: "postSnippet", method: "POST", path: "/snippet", query: [], body: "required" },
  putSnippet: { name: "putSnippet", method: "PUT", path: "/snippet", query: ["id"], body: "required" },
  deleteSnippet: { name: "deleteSnippet", method: "DELETE", path: "/snippet", query: ["id"], body: "none" },
  getSnippets: { name: "getSnippets", method: "GET", path: "/snippets", query: ["ids"], body: "none" },
  postSnippets: { name: "postSnippets", method: "POST", path: "/snippets", query: [], body: "required" },
  deleteSnippets: { name: "deleteSnippets", method: "DELETE", path: "/snippets", query: ["ids"], body: "none" },
  getSnippetVariation: {
    name: "getSnippetVariation",
    method: "GET",
    path: "/snippet/variation",
    query: ["snippetId", "variationId"],
    body: "none"
  },
  putSnippetVariation: {
    name: "putSnippetVariation",
    method: "PUT",
    path: "/snippet/variation",
    query: ["variationId"],
    body: "required"
  },
  deleteSnippetVariation: {
    name: "deleteSnippetVariation",
    method: "DELETE",
    path: "/snippet/variation",
    query: ["variationId"],
    body: "optional"
  },
  getSnippetVariationHistory: {
    name: "getSnippetVariationHistory",
    method: "GET",
    path: "/snippet/variation/history",
    query: ["variationId", "limit", "fromDate", "toDate"],
    body: "none"
  },
  getFolder: {
    name: "getFolder",
    method: "GET",
    path: "/folder",
    query: ["folderId", "limit", "offset"],
    body: "none"
  },
  postFolder: { name: "postFolder", method: "POST", path: "/folder", query: [], body: "required" },
  putFolder: { name: "putFolder", method: "PUT", path: "/folder", query: ["folderId"], body: "required" },
  deleteFolder: { name: "deleteFolder", method: "DELETE", path: "/folder", query: ["folderId"], body: "none" },
  getFolders: {
    name: "getFolders",
    method: "GET",
    path: "/folders",
    query: ["folderIds", "limit", "offset"],
    body: "none"
  },
  postFolders: { name: "postFolders", method: "POST", path: "/folders", query: [], body: "required" },
  putFolders: { name: "putFolders", method: "PUT", path: "/folders", query: [], body: "required" },
  deleteFolders: { name: "deleteFolders", method: "DELETE", path: "/folders", query: ["folderIds"], body: "none" },
  getTag: { name: "getTag", method: "GET", path: "/tag", query: ["tagId", "limit", "offset"], body: "none" },
  postTag: { name: "postTag", method: "POST", path: "/tag", query: [], body: "required" },
  putTag: { name: "putTag", method: "PUT", path: "/tag", query: ["tagId"], body: "required" },
  deleteTag: { name: "deleteTag", method: "DELETE", path: "/tag", query: ["tagId"], body: "none" },
  getTags: { name: "getTags", method: "GET", path: "/tags", query: ["tagIds"], body: "none" },
  postTags: { name: "postTags", method: "POST", path: "/tags", query: [], body: "required" },
  putTags: { name: "putTags", method: "PUT", path: "/tags", query: [], body: "required" },
  deleteTags: { name: "deleteTags", method: "DELETE", path: "/tags", query: ["tagIds"], body: "none" }
};

class Operations {
  getSnippet(args, options) {
    return this.call(operations.getSnippet, args, options);
  }
  postSnippet(args, options) {
    return this.call(operations.postSnippet, args, options);
  }
  putSnippet(args, options) {
    return this.call(operations.putSnippet, args, options);
  }
  deleteSnippet(args, options) {
    return this.call(operations.deleteSnippet, args, options);
  }
  getSnippets(args, options) {
    return this.call(operations.getSnippets, args, options);
  }
  postSnippets(args, options) {
    return this.call(operations.postSnippets, args, options);
  }
  deleteSnippets(args, options) {
    return this.call(operations.deleteSnippets, args, options);
  }
  getSnippetVariation(args, options) {
    return this.call(operations.getSnippetVariation, args, options);
  }
  putSnippetVariation(args, options) {
    return this.call(operations.putSnippetVariation, args, options);
  }
  deleteSnippetVariation(args, options) {
    return this.call(operations.deleteSnippetVariation, args, options);
  }
  getSnippetVariationHistory(args, options) {
    return this.call(operations.getSnippetVariationHistory, args, options);
  }
  getFolder(args, options) {
    return this.call(operations.getFolder, args, options);
  }
  postFolder(args, options) {
    return this.call(operations.postFolder, args, options);
  }
  putFolder(args, options) {
    return this.call(operations.putFolder, args, options);
  }
  deleteFolder(args, options) {
    return this.call(operations.deleteFolder, args, options);
  }
  getFolders(args, options) {
    return this.call(operations.getFolders, args, options);
  }
  postFolders(args, options) {
    return this.call(operations.postFolders, args, options);
  }
  putFolders(args, options) {
    return this.call(operations.putFolders, args, options);
  }
  deleteFolders(args, options) {
    return this.call(operations.deleteFolders, args, options);
  }
  getTag(args, options) {
    return this.call(operations.getTag, args, options);
  }
  postTag(args, options) {
    return this.call(operations.postTag, args, options);
  }
  putTag(args, options) {
    return this.call(operations.putTag, args, options);
  }
  deleteTag(args, options) {
    return this.call(operations.deleteTag, args, options);
  }
  getTags(args, options) {
    return this.call(operations.getTags, args, options);
  }
  postTags(args, options) {
    return this.call(operations.postTags, args, options);
  }
  putTags(args, options) {
    return this.call(operations.putTags, args, options);
  }
  deleteTags(args, options) {
    return this.call(operations.deleteTags, args, options);
  }
}

// sdk/src/request.ts
function buildCall(baseUrl, operation, args) {
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  const inQuery = given.filter(([name]) => operation.query.includes(name));
  const inBody = given.filter(([name]) => !operation.query.includes(name));
  const [[unknown] = []] = inBody;
  if (operation.body === "none" && unknown !== undefined)
    throw new TypeError(`${operation.name} takes no argument "${unknown}"`);
  const search = new URLSearchParams(inQuery.map(([name, value]) => [name, queryText(value)])).toString();
  const hasBody = operation.body === "required" || inBody.length > 0;
  return {
    method: operation.method,
    url: `${baseUrl}${operation.path}${search === "" ? "" : `?${search}`}`,
    body: hasBody ? JSON.stringify(Object.fromEntries(inBody)) : undefined
  };
}
function queryText(value) {
  if (value instanceof Date)
    return value.toISOString();
  return Array.isArray(value) ? value.join(",") : String(value);
}

// sdk/src/client.ts
var maxWaitSecondsDefault = 120;
var timeoutSecondsDefault = 60;
var pageItemsMax = 100;

class Commonplace extends Operations {
  #apiKey;
  #baseUrl;
  #fetch;
  #sleep;
  #maxWaitSeconds;
  #timeoutSeconds;
  #signal;
  constructor(options) {
    super();
    this.#apiKey = checkApiKey(options.apiKey);
    this.#baseUrl = checkBaseUrl(options.baseUrl);
    this.#timeoutSeconds = checkTimeout(options.timeoutSeconds ?? timeoutSecondsDefault);
    this.#fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
    this.#sleep = options.sleep ?? sleep;
    this.#signal = options.signal;
    const wait = options.waitForRateLimit ?? false;
    this.#maxWaitSeconds = typeof wait === "object" ? wait.maxWaitSeconds : wait ? maxWaitSecondsDefault : 0;
  }
  snippetsInFolder({ limit = pageItemsMax, ...where }, options) {
    return turnPages(where.offset, (offset) => this.getFolder({ ...where, limit, offset }, options));
  }
  snippetsWithTag({ limit = pageItemsMax, ...where }, options) {
    return turnPages(where.offset, (offset) => this.getTag({ ...where, limit, offset }, options));
  }
  async call(operation, args, options = {}) {
    const { url, method, body } = buildCall(this.#baseUrl, operation, args);
    const headers = this.#headers(options.headers, body !== undefined);
    const init = { method, headers, redirect: "manual", ...body !== undefined && { body } };
    return withJoinedSignal([this.#signal, options.signal], async (signal) => {
      let waitedSeconds = 0;
      for (;; ) {
        const raw = await exchange(this.#fetch, url, init, this.#timeoutSeconds, signal);
        const outcome = readAnswer(operation, raw, this.#apiKey);
        if (!(outcome instanceof CommonplaceError))
          return asPromised(outcome);
        const waitSeconds = outcome instanceof RateLimitError ? outcome.retryAfterSeconds : undefined;
        if (waitSeconds === undefined || !(waitedSeconds + waitSeconds <= this.#maxWaitSeconds))
          throw outcome;
        await this.#sleep(waitSeconds, signal);
        signal.throwIfAborted();
        waitedSeconds += waitSeconds;
      }
    });
  }
  #headers(further, hasBody) {
    const headers = new Headers(further);
    headers.set("Authorization", `Bearer ${this.#apiKey}`);
    headers.set("Accept", "application/json");
    if (hasBody)
      headers.set("Content-Type", "application/json");
    return headers;
  }
}
var asPromised = (envelope) => envelope;
async function* turnPages(firstOffset = 0, readPage) {
  for (let offset = firstOffset;; ) {
    const { data, pagination } = await readPage(offset);
    yield* data.snippets;
    if (!pagination.hasMore)
      return;
    offset += pagination.limit;
  }
}
function checkApiKey(apiKey) {
  if (typeof apiKey !== "string" || !/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError("apiKey must be the secret of an API key, without white space");
  return apiKey;
}
function checkBaseUrl(baseUrl) {
  const refusal = 'baseUrl must be an HTTPS address such as "https://snippets.example.com/api"';
  let url;
  try {
    url = new URL(baseUrl);
  } catch {
    throw new TypeError(refusal);
  }
  const { protocol, origin, pathname, username, password, search, hash } = url;
  if (protocol !== "https:" || username + password + search + hash !== "")
    throw new TypeError(refusal);
  return origin + pathname.replace(/\/+$/, "");
}
function checkTimeout(seconds) {
  if (!(seconds > 0))
    throw new TypeError("timeoutSeconds must be a number above 0");
  return seconds;
}
export {
  AuthenticationError,
  Commonplace,
  CommonplaceError,
  ConnectionError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  QuotaExceededError,
  RateLimitError,
  ServiceError,
  operations
};
