// Which compression a client accepts (RFC 9110, section 12.5.3).

/** The smallest coding that the `Accept-Encoding` header allows; a weight of 0 forbids one. */
export function preferredCoding(acceptEncoding: string | null | undefined): "br" | "gzip" | undefined {
  const accepted = new Set(
    (acceptEncoding ?? "")
      .toLowerCase()
      .split(",")
      .filter((coding) => !/;\s*q=0(\.0*)?\s*$/.test(coding))
      .map((coding) => coding.split(";")[0]?.trim() ?? ""),
  );
  return accepted.has("br") ? "br" : accepted.has("gzip") ? "gzip" : undefined;
}
