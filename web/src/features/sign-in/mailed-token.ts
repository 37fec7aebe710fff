/** The token behind the `#` of a mailed link. It is taken out of the address, so that it stays in no history. */
export function takeToken(): string {
  const token = decodeURIComponent(location.hash.slice(1));
  if (token) history.replaceState(history.state, "", location.pathname);
  return token;
}
