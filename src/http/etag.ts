/** Whether an `If-None-Match` names this ETag. */
export function matches(header: string | undefined, etag: string): boolean {
  if (!header) return false;
  return header === etag || header.trim() === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}
