const BEARER = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i;

/** The token of an `Authorization` header. */
export const bearerToken = (header: string | undefined): string | undefined => BEARER.exec(header ?? "")?.[1];
