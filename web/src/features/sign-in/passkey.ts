/** Browsers have passkeys on secure pages only. */
export const HAS_PASSKEYS = "PublicKeyCredential" in window;

/** Asks the browser for a passkey. `PublicKeyCredential` reads and writes the JSON that the server speaks. */
export async function getPasskey(options: object): Promise<Record<string, unknown>> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON);
  const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
  return { ...credential.toJSON() };
}
