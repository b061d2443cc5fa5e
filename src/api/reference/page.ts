// The reference for people: a page that shows the description with Scalar, which also sends calls.

/** The page, which is small: everything else is in `docs/` next to it. @param nonce marks the style elements that apply */
export const referencePage = (nonce: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Snippets, their variations, folders and tags: every operation, with its cost and an example.">
<meta property="csp-nonce" content="${nonce}">
<title>Commonplace API reference</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="docs/reference.css">
<script src="docs/reference.js" defer></script>
<script src="docs/scalar.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<div id="reference"></div>
<noscript><main><h1>Commonplace API</h1>
<p>The reference needs JavaScript. The same is in the <a href="openapi.json">OpenAPI description</a>.</p></main></noscript>
</body>
</html>
`;

/** A bookmark, so that browsers need not ask for an icon that is not there. */
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%231f6650' d='M3 1h10v14l-5-4-5 4z'/%3E%3C/svg%3E";
