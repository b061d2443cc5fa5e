// The address of the console in the links that commands print and email.
import type { Announcing } from "../../accounts/sign-in/account-mails.ts";
import { originOf } from "../../platform/http/origin.ts";
import { findRunningService } from "../running-service.ts";
import type { CommandContext } from "./command.ts";

type Settings = Pick<CommandContext, "config" | "environment">;

/** @returns isKnown: false where the address follows from the settings of the command, which may not be those of the service */
export async function findOrigin({ config, environment }: Settings): Promise<{ origin: string; isKnown: boolean }> {
  const running = findRunningService(config, environment);
  if (running) return { origin: running.origin, isKnown: true };
  if (config.publicOrigin !== undefined || !config.tls)
    return { origin: originOf(config, undefined, config.port), isKnown: config.publicOrigin !== undefined };
  const { loadCertificate } = await import("../../platform/tls/certificates.ts");
  const certificate = await loadCertificate(config);
  return { origin: originOf(config, certificate.hostName, config.port), isKnown: false };
}

/** What to add below a printed link. */
export const addressHint = (isKnown: boolean): string[] =>
  isKnown ? [] : ["If the address in the link is wrong, set COMMONPLACE_URL and try again."];

/** For emails about what a command did. A certificate that cannot be read must not keep anyone from disabling an account. */
export async function announcingOf({ config, environment }: Settings): Promise<Announcing> {
  const found = await findOrigin({ config, environment }).catch(() => undefined);
  return { config, origin: found?.origin ?? originOf(config, undefined, config.port) };
}
