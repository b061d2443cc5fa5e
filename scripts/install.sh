#!/bin/sh
# Installs missing dependencies: `runtime` for those of the service, `all` for those of the tests too. Prints nothing when nothing is
# missing. The output of npm goes to standard error, so that standard output belongs to the command.
set -eu
cd -- "$(dirname -- "$0")/.."
stamp=node_modules/.installed
lock=$(cksum package-lock.json)

# Installed by hand after the lock file was last changed: nothing is missing, and development tools may be there.
if [ ! -f "$stamp" ] && [ -x node_modules/.bin/bun ] && [ node_modules/.package-lock.json -nt package-lock.json ]; then
  if [ -x node_modules/.bin/tsc ]; then echo "all $lock" >"$stamp"; else echo "runtime $lock" >"$stamp"; fi
fi

installed() { cat "$stamp" 2>/dev/null || true; }
is_complete() {
  case "$(installed)" in
    "all $lock") return 0 ;;
    "runtime $lock") [ "$1" = runtime ] ;;
    *) return 1 ;;
  esac
}
if is_complete "$1"; then exit 0; fi

fail() {
  echo "commonplace: $1" >&2
  exit 1
}
command -v npm >/dev/null 2>&1 ||
  fail "npm is required to install the dependencies. It comes with Node.js 20.19 or newer: https://nodejs.org"
[ -w . ] || fail "the dependencies cannot be installed: $PWD is not writable by this user"

# One process installs at a time; the others wait. The link names the process, so that one that was killed does not block the others.
installing=.installing
is_running() { kill -0 "$1" 2>/dev/null || [ -d "/proc/$1" ]; }
is_waiting=
until ln -s $$ "$installing" 2>/dev/null; do
  holder=$(readlink "$installing" || true)
  if [ -n "$holder" ] && ! is_running "$holder" && ln -s $$ "$installing.stale" 2>/dev/null; then
    # Looks again before it removes the link: another process may have removed it and begun to install.
    if [ "$(readlink "$installing" || true)" = "$holder" ]; then rm -f "$installing"; fi
    rm -f "$installing.stale"
  else
    if [ -n "$holder" ] && [ -z "$is_waiting" ]; then
      echo "Waiting for process $holder to finish installing dependencies. If that process is no longer running, delete $installing." >&2
      is_waiting=yes
    fi
    sleep 1
  fi
done
trap 'rm -f "$installing"' EXIT
trap 'exit 1' HUP INT TERM
if is_complete "$1"; then exit 0; fi

# A checkout that had everything gets everything again when the lock file changes.
wanted=$1
case "$(installed)" in "all "*) wanted=all ;; esac
echo "Installing dependencies..." >&2
if [ "$wanted" = all ]; then npm ci --no-audit --no-fund --loglevel=error >&2; else npm ci --omit=dev --no-audit --no-fund --loglevel=error >&2; fi
echo "$wanted $lock" >"$stamp"
