// How readers of the reference reach the service.

/** Where clients find the certificate of a local CA, as the documentation names it: readers are seldom on the service's own computer. */
export const localCaPath = "data/tls/ca.crt";

/** How clients reach the service. */
export interface ReferenceAddress {
  /** `https://host[:port]` */
  readonly origin: string;
  /** Whether clients must be given the certificate of a local CA. */
  readonly hasLocalCa: boolean;
}

/** How the curl commands of the page start. */
export const curlStart = ({ hasLocalCa }: ReferenceAddress): string =>
  hasLocalCa ? `curl --cacert ${localCaPath}` : "curl";
