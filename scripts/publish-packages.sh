#!/bin/sh
# Publishes the npm packages of a release: each *.tgz in a directory, those that others need first. A package that the registry has already,
# with the same bytes, is skipped, so a run that failed can be repeated.
#
#   NPM_TOKEN=… sh scripts/publish-packages.sh dist/release
#
# Without NPM_TOKEN, npm signs in as its settings say, or as the workflow that runs it.
set -eu

# npm takes release/cpl.tgz for a repository of the user "release".
case "$1" in /*) directory=$1 ;; *) directory=./$1 ;; esac
set -- "$directory"/*.tgz
if [ ! -e "$1" ]; then
  echo "$directory has no *.tgz" >&2
  exit 1
fi

if [ -n "${NPM_TOKEN:-}" ]; then
  registry=$(npm config get registry)
  settings=$(mktemp)
  trap 'rm -f "$settings"' EXIT
  # The secret stays in the environment: npm puts it in the place of its name.
  printf '%s/:_authToken=${NPM_TOKEN}\n' "$(echo "${registry#http*:}" | sed 's:/*$::')" >"$settings"
  export NPM_CONFIG_USERCONFIG="$settings"
fi

manifest() { tar -xzOf "$1" package/package.json; }
# The name and the version, such as @commonplace-app/cpl@0.1.0.
identity() { manifest "$1" | node --print 'const { name, version } = JSON.parse(require("fs").readFileSync(0)); `${name}@${version}`'; }
needs_others() { manifest "$1" | grep -q '"optionalDependencies"'; }
checksum() { echo "sha512-$(openssl dgst -sha512 -binary "$1" | base64 | tr -d '\n')"; }

# The checksum in the registry; nothing if it does not have this version.
published() {
  if said=$(npm view "$1" dist.integrity --loglevel=error 2>&1); then
    echo "$said"
  else
    case "$said" in *E404*) ;; *) echo "$said" >&2 && return 1 ;; esac
  fi
}

publish() {
  package=$(identity "$1")
  found=$(published "$package")
  if [ "$found" = "$(checksum "$1")" ]; then
    echo "$package is published already"
  elif [ -n "$found" ]; then
    echo "$package is published already, with other contents: release a new version" >&2
    return 1
  else
    # `npm install` takes what is tagged "latest", which a version such as 0.2.0-rc.1 must not be.
    case "${package##*@}" in *-*) channel=next ;; *) channel=latest ;; esac
    npm publish "$1" --access public --provenance --tag "$channel"
  fi
}

for file; do if ! needs_others "$file"; then publish "$file"; fi; done
for file; do if needs_others "$file"; then publish "$file"; fi; done
