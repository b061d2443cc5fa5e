// The reference for people: Scalar shows the OpenAPI document and can send requests.

/**
 * The page. Its styles and scripts are in `reference/` next to it.
 * @param nonce of the style elements that apply
 * @param curl how its curl commands start
 */
export const referencePage = (nonce: string, curl: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Every operation of the Commonplace API, with its cost and an example.">
<meta property="csp-nonce" content="${nonce}">
<meta name="curl" content="${curl}">
<title>Commonplace API reference</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="reference/reference.css">
<script src="reference/reference.js" defer></script>
<script src="reference/scalar.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<div id="reference"></div>
<noscript><main><h1>Commonplace API</h1>
<p>This reference needs JavaScript. The <a href="openapi.json">OpenAPI description</a> contains the same information.</p></main></noscript>
</body>
</html>
`;

/** A bookmark. With an icon in the page, browsers do not request `/favicon.ico`. */
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%231f6650' d='M3 1h10v14l-5-4-5 4z'/%3E%3C/svg%3E";
