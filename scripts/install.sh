#!/bin/sh
# Installs missing dependencies: `runtime` for those of the service, `all` for those of the tests too. Prints nothing when nothing is
# missing. The output of npm goes to standard error, so that standard output belongs to the command.
set -eu
wanted=$1
cd -- "$(dirname -- "$0")/.."
stamp=node_modules/.installed
lock=$(cksum package-lock.json)

# Installed by hand after the lock file was last changed: nothing is missing, and development tools may be there.
if [ ! -f "$stamp" ] && [ -x node_modules/.bin/bun ] && [ node_modules/.package-lock.json -nt package-lock.json ]; then
  if [ -x node_modules/.bin/tsc ]; then echo "all $lock" >"$stamp"; else echo "runtime $lock" >"$stamp"; fi
fi

case "$(cat "$stamp" 2>/dev/null || true)" in
  "all $lock") exit 0 ;;
  "runtime $lock") [ "$wanted" = runtime ] && exit 0 ;;
esac

# A checkout that had everything gets everything again when the lock file changes.
case "$(cat "$stamp" 2>/dev/null || true)" in "all "*) wanted=all ;; esac

if ! command -v npm >/dev/null 2>&1; then
  echo "commonplace: npm is required to install the dependencies. It comes with Node.js 20 or newer: https://nodejs.org" >&2
  exit 1
fi
echo "Installing dependencies (first run only) ..." >&2
if [ "$wanted" = all ]; then npm ci --no-audit --no-fund --loglevel=error >&2; else npm ci --omit=dev --no-audit --no-fund --loglevel=error >&2; fi
echo "$wanted $lock" >"$stamp"
