// Builds the request for Better Auth. It holds only what the allowlist lets through.
import { betterAuthPath, clientHeader, confirmedPassword } from "../../accounts/sign-in/better-auth-call.ts";
import type { AdmittedCall } from "./admit.ts";
import { cookiesForBetterAuth } from "./cookie.ts";

/** Better Auth sees these of the client's headers. */
const forwardedHeaders = ["origin", "user-agent", "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest"] as const;

/** Asks the provider to sign the person in again, and remembers that it was asked until the browser returns. */
const signInAgain = { additionalParams: { prompt: "login", max_age: "0" }, additionalData: { again: true } };

export function betterAuthRequest(call: AdmittedCall, origin: string, instanceKey: string): Request {
  const { path, row, request, body } = call;
  const url = `${origin}${betterAuthPath}${path}${allowedQuery(call)}`;
  const headers = new Headers({ [clientHeader]: request.clientAddress });
  for (const name of forwardedHeaders) {
    const value = request.header(name);
    if (value !== null) headers.set(name, value);
  }
  const cookies = cookiesForBetterAuth(request.header("cookie"), instanceKey);
  if (cookies !== "") headers.set("cookie", cookies);
  if (row.isSentAsGet) {
    const { name } = body ?? {};
    return new Request(typeof name === "string" ? `${url}?${new URLSearchParams({ name })}` : url, { headers });
  }
  if (body === undefined) return new Request(url, { headers });
  headers.set("content-type", "application/json");
  const sent: Record<string, unknown> = { ...body, ...row.fixed };
  if (row.checksPassword) delete sent.password;
  else if (call.isConfirmed && row.confirmedBy && row.confirmedBy !== "session")
    sent[row.confirmedBy] = confirmedPassword;
  if (path === "/sign-in/social")
    Object.assign(sent, {
      provider: "oidc",
      callbackURL: `${origin}/console`,
      errorCallbackURL: `${origin}/console/sign-in`,
      disableRedirect: true,
      ...(body.again === true && signInAgain),
    });
  return new Request(url, { method: "POST", headers, body: JSON.stringify(sent) });
}

function allowedQuery({ row, request }: AdmittedCall): string {
  const given = new URLSearchParams(request.search);
  const allowed = new URLSearchParams();
  for (const name of row.query ?? []) {
    const value = given.get(name);
    if (value !== null) allowed.set(name, value);
  }
  return allowed.size > 0 ? `?${allowed}` : "";
}
