// Writes a page with a search that anyone can read: bun static-page.ts public/index.html
// It shows the snippets of a team that have the tag `public`. The page contains no API key and sends no requests.
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Commonplace, CommonplaceError, type FoundSnippet } from "@commonplace-app/client";

const setting = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name}`);
  return value;
};

/** The snippets that have the tag. The team's other snippets are never read. */
async function readSnippets(tagName: string): Promise<FoundSnippet[]> {
  const client = new Commonplace({ baseUrl: setting("CPL_URL"), apiKey: setting("CPL_KEY"), waitForRateLimit: true });
  const teamId = setting("CPL_TEAM");
  const { data } = await client.getTree({ teamId });
  const tag = data.tags.find(({ tag_name }) => tag_name === tagName);
  if (!tag) throw new Error(`The team has no tag "${tagName}"`);
  const snippets: FoundSnippet[] = [];
  for await (const page of client.getSearchPages({ teamId, tagIds: [tag.id], sort: "title", limit: 100 }))
    snippets.push(...page.data.snippets);
  return snippets;
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const article = ({ title, shortcut, content }: FoundSnippet): string => `<article>
<h2>${escaped(title)}${shortcut ? ` <code>${escaped(shortcut)}</code>` : ""}</h2>
<pre>
${escaped(content.content)}</pre>
</article>`;

/** All snippets are in the page, so it works without JavaScript, too. The script only hides what does not match. */
const page = (snippets: readonly FoundSnippet[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Snippets</title>
<style>
:root { color-scheme: light dark; font-family: system-ui, sans-serif; }
body { max-width: 48rem; margin: 2rem auto; padding: 0 1rem; }
input { width: 100%; box-sizing: border-box; padding: 0.5rem; font: inherit; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 1rem; border: 1px solid; border-radius: 0.5rem; }
</style>
</head>
<body>
<h1>Snippets</h1>
<label>Search <input type="search" id="query"></label>
<p role="status" id="found">${snippets.length} found</p>
<main>
${snippets.map(article).join("\n")}
</main>
<script>
const articles = [...document.querySelectorAll("article")].map((element) => [element, element.textContent.toLowerCase()]);
document.getElementById("query").addEventListener("input", ({ target }) => {
  const words = target.value.toLowerCase().split(/\\s+/);
  for (const [element, text] of articles) element.hidden = !words.every((word) => text.includes(word));
  document.getElementById("found").textContent = articles.filter(([{ hidden }]) => !hidden).length + " found";
});
</script>
</body>
</html>
`;

try {
  const path = process.argv[2] ?? "public/index.html";
  const html = page(await readSnippets(process.env.CPL_TAG ?? "public"));
  mkdirSync(dirname(path), { recursive: true });
  // The page that is there stays until the new one is complete.
  writeFileSync(`${path}.new`, html);
  renameSync(`${path}.new`, path);
} catch (failure) {
  const code = failure instanceof CommonplaceError ? ` (${failure.code})` : "";
  console.error(`${failure instanceof Error ? failure.message : failure}${code}`);
  process.exitCode = 1;
}
