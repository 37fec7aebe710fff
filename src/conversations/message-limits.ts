/** Characters of a message. */
export const MAX_BODY = 100_000;
export const MAX_ATTACHMENTS = 20;
