import { namedEnum } from "../platform/enums/named-enum.js";

/**
 * What proves that a message is from the contact, weakest first. `none`: anybody could have written it, such as whoever fills in a
 * contact form. `channel`: a mail that its domain signed, a provider's signed request, or an integration with a key says so.
 * `signed`: your website signed who its visitor is.
 */
export const SENDER_PROOFS = namedEnum("SenderProof", "What proves that a message is from the contact.", {
  none: "nothing: anybody could have written it, for example with a contact form",
  channel: "a mail that its domain signed, a provider's signed request, or an API key",
  signed: "your website signed who its visitor is",
});
export type SenderProof = (typeof SENDER_PROOFS)[number];
