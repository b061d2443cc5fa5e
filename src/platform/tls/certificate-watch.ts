// Watches the certificate while the service runs: uses a renewed one without a restart, and warns before it expires.
import { readFile } from "node:fs/promises";
import type { Log } from "../log.ts";
import { dayMilliseconds, hourMilliseconds } from "../time.ts";
import { type Certificate, type CertificateSettings, loadCertificate } from "./certificates.ts";
import { isNearExpiry } from "./local-certificate.ts";

export interface CertificateWatch {
  /** The certificate that new connections get. */
  readonly current: () => Certificate;
  /** Checks the files now. Resolves when a new certificate is in use, or there is none. */
  readonly check: () => Promise<void>;
}

/** @param applyCertificate gives the certificate to new connections, or throws and leaves the current one in place */
export function watchCertificate(
  settings: CertificateSettings,
  first: Certificate,
  applyCertificate: (certificate: Certificate) => void,
  log: Log,
  now: () => number = Date.now,
): CertificateWatch {
  let current = first;
  let tried: { seen: string; at: number; isDone: boolean } | undefined;
  let warnedAt = Number.NEGATIVE_INFINITY;
  let checking = Promise.resolve();

  const checkOnce = async () => {
    const seen = await fingerprint(settings, current);
    if (seen === undefined || (seen === tried?.seen && (tried.isDone || now() < tried.at + retryMilliseconds))) return;
    // Files that are just being written are left to the next check.
    await Bun.sleep(settledAfterMilliseconds);
    if (seen !== (await fingerprint(settings, current))) return;
    tried = { seen, at: now(), isDone: false };
    try {
      const found = await loadCertificate(settings);
      if (found.cert !== current.cert || found.key !== current.key) {
        applyCertificate(found);
        current = found;
        log.write("info", "certificate replaced", { expiresAt: found.expiresAt });
      }
      tried.isDone = true;
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      log.write("warn", "could not load the new certificate; still using the current one", { cause });
    }
  };

  const warnOfExpiry = () => {
    // The one for localhost is renewed by the service itself.
    if (!settings.tls || current.expiresAt.getTime() - now() > warnedBeforeDays * dayMilliseconds) return;
    if (now() < warnedAt + dayMilliseconds) return;
    warnedAt = now();
    const hasEnded = current.expiresAt.getTime() <= now();
    log.write("warn", hasEnded ? "certificate expired" : "certificate expires soon", {
      expiresAt: current.expiresAt,
      file: settings.tls.certPath,
    });
  };

  const check = (): Promise<void> => {
    // A check that failed does not fail the next.
    checking = checking
      .catch(() => undefined)
      .then(checkOnce)
      .then(warnOfExpiry);
    return checking;
  };

  warnOfExpiry();
  return { current: () => current, check };
}

const settledAfterMilliseconds = 250;
/** A pair that could not be used although its files are valid is tried again after this time. */
const retryMilliseconds = hourMilliseconds;
export const warnedBeforeDays = 14;

/**
 * Changes whenever there may be another certificate to use; undefined while there is none. It is the whole content, because times
 * and sizes of files miss changes on some file systems and after a symbolic link was redirected.
 */
async function fingerprint({ tls }: CertificateSettings, current: Certificate): Promise<string | undefined> {
  if (!tls) return isNearExpiry(current.expiresAt) ? current.cert : undefined;
  const read = (path: string) => readFile(path, "utf8").catch(String);
  return (await Promise.all([tls.certPath, tls.keyPath].map(read))).join("\0");
}
