// Looks after the certificate while the service runs: shows a renewed one without a restart, and says in time when nobody renews it.
import { readFile } from "node:fs/promises";
import type { Log } from "../log.ts";
import { dayMilliseconds, hourMilliseconds } from "../time.ts";
import { type Certificate, type CertificateSettings, loadCertificate } from "./certificates.ts";
import { isNearItsEnd } from "./local-certificate.ts";

export interface CertificateWatch {
  /** The certificate that new connections get. */
  readonly shown: () => Certificate;
  /** Looks at the files now; resolves when what was found is done. */
  readonly look: () => Promise<void>;
}

/** @param show gives it to new connections, or throws and leaves all as it was */
export function watchCertificate(
  settings: CertificateSettings,
  first: Certificate,
  show: (certificate: Certificate) => void,
  log: Log,
  now: () => number = Date.now,
): CertificateWatch {
  let shown = first;
  let tried: { seen: string; at: number; isDone: boolean } | undefined;
  let warnedAt = Number.NEGATIVE_INFINITY;
  let looking = Promise.resolve();

  const lookOnce = async () => {
    const seen = await fingerprint(settings, shown);
    if (seen === undefined || (seen === tried?.seen && (tried.isDone || now() < tried.at + retryMilliseconds))) return;
    // Files that are just being written are left to the next look.
    await Bun.sleep(settledAfterMilliseconds);
    if (seen !== (await fingerprint(settings, shown))) return;
    tried = { seen, at: now(), isDone: false };
    try {
      const found = await loadCertificate(settings);
      if (found.cert !== shown.cert || found.key !== shown.key) {
        show(found);
        shown = found;
        log.write("info", "new connections get a new certificate", { expiresAt: found.expiresAt });
      }
      tried.isDone = true;
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      log.write("warn", "the certificate stays as it was: the new one can not be used", { cause });
    }
  };

  const warnOfItsEnd = () => {
    // The one for localhost is renewed by the service itself.
    if (!settings.tls || shown.expiresAt.getTime() - now() > warnedBeforeDays * dayMilliseconds) return;
    if (now() < warnedAt + dayMilliseconds) return;
    warnedAt = now();
    const hasEnded = shown.expiresAt.getTime() <= now();
    log.write("warn", hasEnded ? "the certificate has ended" : "the certificate ends soon", {
      expiresAt: shown.expiresAt,
      file: settings.tls.certPath,
    });
  };

  const look = (): Promise<void> => {
    // A look that failed does not fail the next.
    looking = looking
      .catch(() => undefined)
      .then(lookOnce)
      .then(warnOfItsEnd);
    return looking;
  };

  warnOfItsEnd();
  return { shown: () => shown, look };
}

const settledAfterMilliseconds = 250;
/** What failed although nothing was wrong with the files may go well later. */
const retryMilliseconds = hourMilliseconds;
export const warnedBeforeDays = 14;

/**
 * Changes whenever there may be another certificate to show; undefined as long as there can be none. The whole content is compared:
 * times and sizes of files tell less, on some file systems and after a symbolic link was turned.
 */
async function fingerprint({ tls }: CertificateSettings, shown: Certificate): Promise<string | undefined> {
  if (!tls) return isNearItsEnd(shown.expiresAt) ? shown.cert : undefined;
  const read = (path: string) => readFile(path, "utf8").catch(String);
  return (await Promise.all([tls.certPath, tls.keyPath].map(read))).join("\0");
}
