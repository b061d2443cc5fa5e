#!/bin/sh
# Checks /mcp of a running service with the public MCP Inspector, a client that we did not write. It only reads. Not part of `npm test`,
# because npx downloads the Inspector from the npm registry (110 MB, kept in npm's cache). Other users of the computer can see the key among
# the arguments, so use one of a test service.
#
#   CPL_URL=https://localhost:8443/api CPL_KEY=… CPL_CA=data/tls/ca.crt sh scripts/inspect-mcp.sh
set -eu
: "${CPL_URL:?is the address of the API}" "${CPL_KEY:?is an API key}"
version=2.12.0

inspect() {
  echo "$*" >&2
  NODE_EXTRA_CA_CERTS="${CPL_CA:-}" npx --yes "@modelcontextprotocol/inspector@$version" --cli "${CPL_URL%/api}/mcp" \
    --transport http --header "Authorization: Bearer $CPL_KEY" --method "$@"
}

# --strict fails if the schema of a tool is not portable between clients.
inspect tools/list --strict
inspect resources/list
inspect resources/templates/list
inspect prompts/list
inspect tools/call --tool-name search_snippets --tool-arg limit=1
inspect tools/call --tool-name list_tree
