// Why a port cannot be opened, in one line that names the setting to change.

export function listenFailure(host: string, port: number, setting: string, error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE")
    return `port ${port} is already in use. If Commonplace is running, stop it; otherwise set ${setting} to another port`;
  if (code === "EACCES") return `this user cannot open port ${port}. Set ${setting} to a port above 1023`;
  return `cannot listen on ${host} port ${port}: ${error instanceof Error ? error.message : error}`;
}
