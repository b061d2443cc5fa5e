// The token of an `Authorization: Bearer …` header.

/** @returns undefined where there is none */
export const bearerToken = (authorization: string | null): string | undefined =>
  /^Bearer +(\S.*)$/i.exec(authorization ?? "")?.[1]?.trim();
