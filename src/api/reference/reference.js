// Starts the reference. It runs before Scalar's script and lets that script work under the page's content security policy.

const nonce = document.querySelector('meta[property="csp-nonce"]').content;

// Only style elements with the nonce apply. Scalar adds it to its own, but its libraries do not.
const createElement = document.createElement;
document.createElement = function (name, options) {
  const element = createElement.call(this, name, options);
  if (element instanceof HTMLStyleElement) element.nonce = nonce;
  return element;
};

// The policy blocks style attributes that are set as text. The same style set as properties applies.
const setAttribute = Element.prototype.setAttribute;
Element.prototype.setAttribute = function (name, value) {
  if (name === "style" && this.style) this.style.cssText = value;
  else setAttribute.call(this, name, value);
};
const innerHTML = Object.getOwnPropertyDescriptor(Element.prototype, "innerHTML");
const styleAttribute = /(<[a-z][^<>]*?) style=("[^"<>]*")/g;
Object.defineProperty(Element.prototype, "innerHTML", {
  ...innerHTML,
  set(markup) {
    const text = String(markup);
    const parsed = text.replace(styleAttribute, "$1 data-style=$2");
    innerHTML.set.call(this, parsed);
    if (parsed === text) return;
    for (const element of this.querySelectorAll("[data-style]")) element.style.cssText = element.dataset.style;
  },
});

globalThis.curlStart = document.querySelector('meta[name="curl"]').content;

/** A word in place of an ID, such as SNIPPET_ID. */
const placeholder = /^[A-Z]+(_[A-Z]+)*_ID(_\d+)?$/;

/** Sends a request. @throws if it still has a word in place of an ID */
const fetchWithIds = async (input, init) => {
  const request = new Request(input, init);
  const body = await request.clone().text();
  const values = [...new URL(request.url).searchParams.values()].flatMap((value) => value.split(","));
  try {
    JSON.parse(body, (_, value) => values.push(value) && value);
  } catch {
    // Not JSON: a file, or nothing.
  }
  const missing = values.find((value) => placeholder.test(value));
  if (missing) throw new Error(`Replace ${missing} with an ID, then send the request.`);
  return fetch(request);
};

// Zod, inside Scalar, tests whether it can compile code. The policy reports that test as a violation.
globalThis.__zod_globalConfig = { jitless: true };

// The form for a request stays in the page once it has been opened; a class says whether it is open.
const openDialog = '.scalar-client--open, [role="dialog"]:not(.scalar-client)';

// Adds what Scalar lacks for keyboards and screen readers.
const complete = () => {
  const each = (selector, change) => document.querySelectorAll(selector).forEach(change);
  each("#reference main.references-rendered", (main) => {
    Object.assign(main, { id: "content", tabIndex: -1 });
    main.inert = document.querySelector(openDialog) !== null;
  });
  each("button[class*=copy-button]:not([aria-label])", (button) => button.setAttribute("aria-label", "Copy"));
  each("button[aria-controls][class*=copy-button]", (button) => {
    if (!document.getElementById(button.getAttribute("aria-controls"))) button.removeAttribute("aria-controls");
  });
  each(".cm-content:not([aria-label])", (editor) => editor.setAttribute("aria-label", "Request body"));
  each('section[aria-label^="Notifications"]', (list, index) => {
    if (index > 0) list.setAttribute("aria-label", `Notifications ${index + 1}`);
  });
  each("code.custom-scroll:not([tabindex])", (code) => code.setAttribute("tabindex", "0"));
  each('button[role="none"]', (button) => button.removeAttribute("role"));
  each('[role="combobox"]:not([aria-expanded])', (field) => field.setAttribute("aria-expanded", "false"));
};
new MutationObserver((changes) => {
  if (changes.some(({ type, target }) => type === "childList" || target.matches(".scalar-container"))) complete();
}).observe(document, { childList: true, subtree: true, attributeFilter: ["class"] });

// The page's scripts run in order. This event follows the last one.
document.addEventListener("DOMContentLoaded", () => {
  globalThis.Scalar.createApiReference("#reference", {
    url: new URL("reference/openapi.json", document.baseURI).href,
    customFetch: fetchWithIds,
    localization: { translations: { apiClient: { authSelector: { selectedType: "API key" } } } },
    defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
    // Ours has a time limit, and the certificate if clients need it.
    hiddenClients: { python: ["requests"] },
    baseServerURL: location.origin,
    theme: "none",
    // No request goes to another host.
    withDefaultFonts: false,
    telemetry: false,
    proxyUrl: "",
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: "never",
    // The key is forgotten when the page closes.
    persistAuth: false,
    // The introduction links to the published document.
    documentDownloadType: "none",
    defaultOpenAllTags: true,
    modelsSectionLabel: "Schemas",
    generateTagSlug: ({ name = "" }) => name.toLowerCase(),
    generateOperationSlug: ({ operationId = "" }) => operationId,
    metaData: { title: document.title },
  });
});
