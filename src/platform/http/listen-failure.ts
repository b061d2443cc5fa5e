// Why a port cannot be opened, in one line that names the setting to change.

export function listenFailure(host: string, port: number, setting: string, error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE")
    return `port ${port} is in use: is Commonplace running already? Else set ${setting} to another`;
  if (code === "EACCES") return `port ${port} may not be opened by this user: set ${setting} to one above 1023`;
  return `can not listen on ${host} port ${port}: ${error instanceof Error ? error.message : error}`;
}
