import type { Message } from "../../api/parley.js";

/** How the note begins that the server keeps of an automatic mail. */
const AUTOMATIC = /^Automatic reply from (\S+):\n\n/;

/** Whose automatic mail a message is; undefined for others. */
export const automaticSender = ({ direction, authorType, body }: Message): string | undefined =>
  direction === "internal" && authorType === "system" ? AUTOMATIC.exec(body)?.[1] : undefined;

/** The message without the line that says what it is. */
export const withoutSender = (message: Message): Message => ({ ...message, body: message.body.replace(AUTOMATIC, "") });
