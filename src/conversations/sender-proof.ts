/**
 * What proves that a message is from the contact, weakest first. `none`: anybody could have written it, such as whoever fills in a
 * contact form. `channel`: a mail that its domain signed, a provider's signed request, or an integration with a key says so.
 * `signed`: your website signed who its visitor is.
 */
export const SENDER_PROOFS = ["none", "channel", "signed"] as const;
export type SenderProof = (typeof SENDER_PROOFS)[number];
