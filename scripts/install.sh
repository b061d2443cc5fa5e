#!/bin/sh
# Installs what is missing: `runtime` for what the service runs on, `all` for what the tests need too. Says nothing when there
# is nothing to do; whatever npm says goes to standard error, so that standard output stays the command's own.
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

# Who had everything keeps everything when the lock file changes.
case "$(cat "$stamp" 2>/dev/null || true)" in "all "*) wanted=all ;; esac

if ! command -v npm >/dev/null 2>&1; then
  echo "commonplace: npm is needed to install what the service runs on; it comes with Node.js 20 or newer" >&2
  exit 1
fi
echo "Installing what Commonplace needs (once) ..." >&2
if [ "$wanted" = all ]; then npm ci --no-audit --no-fund --loglevel=error >&2; else npm ci --omit=dev --no-audit --no-fund --loglevel=error >&2; fi
echo "$wanted $lock" >"$stamp"
