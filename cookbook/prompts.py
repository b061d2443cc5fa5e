"""Runs a prompt on each line of standard input: python3 prompts.py /classify < tickets.jsonl > results.jsonl

Each line is an object with an id, and with the values of the prompt's placeholders.
"""

import hashlib
import json
import os
import pathlib
import re
import sys
import time

import requests

ATTEMPTS_MAX = 5
TEMPORARY = {429, 502, 503, 504}
PLACEHOLDER = re.compile(r"\{\{[ \t]*([^{}\r\n]+?)[ \t]*\}\}")
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")).expanduser() / "prompts"


def send(method, url, **options):
    """Sends a request, and again if the service asks to wait or is not available."""
    for attempt in range(1, ATTEMPTS_MAX + 1):
        response = requests.request(method, url, timeout=120, **options)
        if response.status_code not in TEMPORARY or attempt == ATTEMPTS_MAX:
            return response
        seconds = response.headers.get("Retry-After", "")
        time.sleep(int(seconds) if seconds.isdigit() else 2**attempt)


def read_prompt(shortcut):
    """The text of a snippet. It costs nothing unless the text has changed, and is still there if the service is not."""
    params = {"shortcut": shortcut, "teamId": os.environ["CPL_TEAM"]}
    url = os.environ["CPL_URL"] + "/text"
    name = hashlib.sha256(json.dumps([url, params]).encode()).hexdigest()
    file = CACHE / f"{name}.json"
    kept = json.loads(file.read_text()) if file.exists() else None
    headers = {"Authorization": f"Bearer {os.environ['CPL_KEY']}"}
    if kept:
        headers["If-None-Match"] = kept["etag"]
    try:
        response = send("GET", url, params=params, headers=headers)
    except (requests.ConnectionError, requests.Timeout) as error:
        response, problem = None, str(error)
    else:
        if response.status_code == 304:
            return kept["text"]
        if response.ok:
            response.encoding = "utf-8"
            write(file, {"etag": response.headers["ETag"], "text": response.text})
            return response.text
        problem = message_of(response)
    is_down = response is None or response.status_code >= 500
    if kept and is_down:
        print(f"Using the prompt as it was last read: {problem}", file=sys.stderr)
        return kept["text"]
    sys.exit(f"The prompt could not be read: {problem}")


def message_of(response):
    """What the service says, such as that the month's units are used up; a proxy may say something else."""
    try:
        body = response.json()
        return f"{body['message']} ({body['error']})"
    except (ValueError, KeyError, TypeError):
        return f"status {response.status_code}"


def write(file, value):
    """Replaces the file at once: another run may read it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_suffix(f".{os.getpid()}")
    new.write_text(json.dumps(value))
    new.replace(file)


def fill_in(prompt, row):
    """A prompt with a gap gives results that look right, so a missing value ends the run."""

    def value(match):
        if match[1] not in row:
            sys.exit(f"Row {row.get('id')} has no value for {match[0]}")
        return str(row[match[1]])

    return PLACEHOLDER.sub(value, prompt)


def complete(prompt):
    """Sends a prompt to a service with OpenAI's chat completions."""
    response = send(
        "POST",
        os.environ["MODEL_URL"],
        headers={"Authorization": f"Bearer {os.environ['MODEL_KEY']}"},
        json={"model": os.environ["MODEL"], "messages": [{"role": "user", "content": prompt}]},
    )
    if not response.ok:
        sys.exit(f"The model responded with {response.status_code}: {response.text}")
    return response.json()["choices"][0]["message"]["content"]


def main():
    if len(sys.argv) != 2:
        sys.exit("Usage: prompts.py SHORTCUT < ROWS > RESULTS")
    prompt = read_prompt(sys.argv[1])
    for line in filter(str.strip, sys.stdin):
        row = json.loads(line)
        result = complete(fill_in(prompt, row))
        print(json.dumps({"id": row.get("id"), "result": result}), flush=True)


if __name__ == "__main__":
    main()
