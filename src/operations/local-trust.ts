// Lets this user's browsers trust the certificate for localhost, and undoes it. Nothing does this unless a person asks for it.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { OperatorError } from "../platform/operator-error.ts";
import type { CommandContext } from "./commands/command.ts";
import { type Authority, findTrustStores } from "./trust-stores.ts";

/** @returns the paths of the stores that have the authority now @throws OperatorError */
export function trustLocalCertificate({ config, environment }: CommandContext): string[] {
  if (config.tls)
    throw new OperatorError("the certificate is set with COMMONPLACE_TLS_CERT_FILE, and is not the one for localhost");
  const authority = authorityIn(config.dataDirectory);
  if (!existsSync(authority.path))
    throw new OperatorError(`${authority.path} does not exist. Start the service once, which creates it`);
  return findTrustStores(environment).map((store) => {
    store.add(authority);
    return store.path;
  });
}

/** @returns the paths of the stores that had the authority @throws OperatorError */
export function distrustLocalCertificate({ config, environment }: CommandContext): string[] {
  const authority = authorityIn(config.dataDirectory);
  return findTrustStores(environment).flatMap((store) => (store.remove(authority) ? [store.path] : []));
}

function authorityIn(dataDirectory: string): Authority {
  const directory = resolve(dataDirectory);
  return { path: join(directory, "tls/ca.crt"), name: `Commonplace in ${directory}` };
}
