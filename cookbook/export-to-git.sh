#!/bin/sh
# Exports a team to Markdown files in a Git repository, and commits them if something has changed: export-to-git.sh REPOSITORY
set -eu
: "${CPL_URL:?is not set}" "${CPL_KEY:?is not set}" "${CPL_TEAM:?is not set}"
repository=${1:?is missing: the directory of a Git repository}

exec 9> "$repository/.git/export.lock"
flock --nonblock 9 || { echo "Another export into $repository is running" >&2; exit 1; }
work=$(mktemp -d "$repository/.git/export.XXXXXX")
trap 'rm -rf "$work"' EXIT

# curl waits as long as the service asks it to, and the list of processes does not show the key.
printf 'header = "Authorization: Bearer %s"\n' "$CPL_KEY" |
  curl --config - --silent --show-error --fail-with-body --max-time 600 \
    --retry 5 --retry-connrefused --retry-max-time 1800 \
    --get "$CPL_URL/export" --data-urlencode "teamId=$CPL_TEAM" --data format=markdown \
    --dump-header "$work/headers" --output "$work/file" ||
  { cat "$work/file" >&2 || true; exit 1; }

# Git keeps no empty directory, and a team can have no snippets.
mkdir "$work/snippets"
touch "$work/snippets/.gitkeep"
name=$(sed -n 's/^content-disposition:.*filename="\([^"\/]*\)".*/\1/Ip' "$work/headers" | tail -n 1)
case $name in
  # 1 is a warning, such as that the zip is empty.
  *.zip) unzip -q "$work/file" -d "$work/snippets" || [ $? -eq 1 ] ;;
  # A single file comes alone.
  ?*) mv "$work/file" "$work/snippets/$name" ;;
  *) echo "The response is not a file" >&2; exit 1 ;;
esac
rm -rf "$repository/snippets"
mv "$work/snippets" "$repository/snippets"

cd "$repository"
git add --all snippets
if git diff --cached --quiet -- snippets; then
  echo "Nothing has changed"
else
  git -c user.name=Commonplace -c user.email=commonplace@localhost commit --quiet --message "Export snippets" -- snippets
  git show --stat --format=%h HEAD
fi
# Also if an earlier push failed.
if [ -n "$(git for-each-ref --format='%(upstream)' "$(git symbolic-ref HEAD)")" ]; then git push --quiet; fi
