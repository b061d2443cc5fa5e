// The checks of the certificate that the service shows. They read it and never make one.
import { createPrivateKey, X509Certificate } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config.ts";
import { dayMilliseconds, dayOf } from "../../platform/time.ts";
import { warnedBeforeDays } from "../../platform/tls/certificate-watch.ts";
import { loadCertificate } from "../../platform/tls/certificates.ts";
import { isNearExpiry } from "../../platform/tls/local-certificate.ts";
import { isLoopback } from "../local-service.ts";
import { type Check, ok, problem, type Verdict, warning } from "./check.ts";

export const certificateChecks: readonly Check<Config>[] = [
  {
    name: "certificate",
    question: "Can the certificate and its key be read, and do they match?",
    remedy: "Correct COMMONPLACE_TLS_CERT_FILE and COMMONPLACE_TLS_KEY_FILE, or replace the files they name.",
    examine: async (config) => {
      const { tls } = config;
      if (!tls) return examineLocal(localFiles(config));
      // The service refuses the same certificates at its start.
      const refusal = await loadCertificate(config).then(
        () => undefined,
        (error: unknown) => String(error instanceof Error ? error.message : error),
      );
      if (refusal !== undefined) return problem(refusal, { isFinal: true });
      const { mode } = statSync(tls.keyPath);
      if (mode & 0o007)
        return problem(`${tls.keyPath} can be read by everyone`, { remedy: `Run chmod 600 ${tls.keyPath}.` });
      return ok(tls.certPath);
    },
  },
  {
    name: "certificate names",
    question: "Is the certificate valid for the names that clients use?",
    remedy: "Use a certificate for the host's public name: COMMONPLACE_TLS_CERT_FILE and COMMONPLACE_TLS_KEY_FILE.",
    examine: async (config) => {
      const isAlone = isLoopback(config.host) || config.trustedProxies.length > 0;
      if (!config.tls)
        return isAlone
          ? ok("localhost only")
          : warning(`the service listens on ${config.host}, but its certificate is for localhost only`);
      const { cert } = await loadCertificate(config);
      const names = namesOf(new X509Certificate(cert));
      return names === "" ? problem("the certificate has no subjectAltName, so no client accepts it") : ok(names);
    },
  },
  {
    name: "certificate expiry",
    question: "Is the certificate valid now and for the next few weeks?",
    remedy: "Renew it. The service loads renewed files without a restart.",
    examine: async (config) => {
      if (config.tls) return examineTime(new X509Certificate((await loadCertificate(config)).cert));
      const { cert } = localFiles(config);
      if (!existsSync(cert)) return ok("will be created on first startup");
      const local = new X509Certificate(readFileSync(cert));
      return isNearExpiry(new Date(local.validTo))
        ? warning(`${endOf(local)}; the service renews it automatically`, { remedy: "Start the service." })
        : ok(endOf(local));
    },
  },
];

function localFiles({ dataDirectory }: Config) {
  const directory = join(dataDirectory, "tls");
  return {
    ca: join(directory, "ca.crt"),
    cert: join(directory, "localhost.crt"),
    key: join(directory, "localhost.key"),
  };
}

function examineLocal(files: ReturnType<typeof localFiles>): Verdict {
  if (!existsSync(files.cert)) return ok("one for localhost will be created on first startup");
  try {
    const cert = new X509Certificate(readFileSync(files.cert));
    const isOneMaking =
      cert.verify(new X509Certificate(readFileSync(files.ca)).publicKey) &&
      cert.checkPrivateKey(createPrivateKey(readFileSync(files.key)));
    if (isOneMaking) return ok(files.cert);
  } catch {
    // Files that cannot be read are no better than files that do not match.
  }
  const remedy = "Start the service. It creates a new certificate; give its ca.crt to your clients.";
  return warning("the files of the localhost certificate do not match", { remedy, isFinal: true });
}

function examineTime(certificate: X509Certificate): Verdict {
  const [from, until] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  if (Date.now() < from) return problem(`not valid until ${new Date(from).toISOString()}`);
  if (Date.now() > until) return problem(endOf(certificate));
  return (until - Date.now() < warnedBeforeDays * dayMilliseconds ? warning : ok)(endOf(certificate));
}

function endOf({ validTo }: X509Certificate): string {
  const until = Date.parse(validTo);
  const days = Math.floor((until - Date.now()) / dayMilliseconds);
  const day = dayOf(new Date(until).toISOString());
  return days < 0 ? `expired on ${day}` : `expires in ${days} ${days === 1 ? "day" : "days"}, on ${day}`;
}

const namesOf = ({ subjectAltName = "" }: X509Certificate): string =>
  subjectAltName
    .split(", ")
    .map((name) => name.replace(/^(DNS|IP Address):/, ""))
    .filter((name) => name !== "")
    .join(", ");
