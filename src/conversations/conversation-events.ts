import type { BodyFormat, MessageEntity } from "./conversation.entity.js";
import type { Quote } from "./quote.js";
import type { Recipients } from "./participants/recipients.js";

/** A conversation has started. Its first message, if there is one, is not written yet. */
export class ConversationStarted {
  constructor(
    readonly id: string,
    readonly workspaceId: string,
    /** In E.164. Null if the number is withheld or the conversation is not a call. */
    readonly callerId: string | null,
  ) {}
}

/**
 * `participant`: not the contact wrote, but somebody in copy. `loop`: programs have answered the contact too often. `elsewhere`:
 * another workspace has got the same mail, and answers it.
 */
export type ForPeople = "participant" | "loop" | "elsewhere";

/** The contact has written, or a participant. The conversation's row is locked until the end of the transaction. */
export class MessageReceived {
  constructor(
    readonly id: string,
    readonly conversationId: string,
    /** Why no agent may answer it, if that is so. */
    readonly forPeople?: ForPeople,
  ) {}
}

/** A message stands for a mail of another system, or for one that answered others. They are to be found by their Message-IDs. */
export class MailNamed {
  constructor(
    readonly messageId: string,
    readonly conversationId: string,
    readonly ids: readonly string[],
    /** The mail's own id. */
    readonly own: string | null,
  ) {}
}

/** A mail that the conversation has a note of. */
export interface NotedMail {
  subject: string;
  body: string;
  /** A part for calendars (RFC 6047). */
  calendar?: { method: "REPLY"; text: string };
}

/** An outbound message was written. The conversation's channel has to deliver it. */
export class MessageQueued {
  constructor(
    readonly message: {
      id: string;
      conversationId: string;
      channelId: string;
      sequence: number;
      /** The text as the receiver sees it. */
      body: string;
      bodyFormat: BodyFormat;
      authorType: MessageEntity["authorType"];
      authorId: string | null;
      /** What a mail repeats below the text. Undefined: as its mailbox has it. */
      quote?: Quote;
      attachmentIds: readonly string[];
      /** For how long it can be cancelled. */
      holdSeconds?: number;
      /** If it goes to more than the contact. */
      recipients?: Recipients | null;
      /** Of a note about a mail to others than the contact: what that says. */
      mail?: NotedMail;
    },
  ) {}
}

/** A person, or a key, has sent a reply that is based on entries of the knowledge base. */
export class EntriesCited {
  constructor(
    readonly messageId: string,
    readonly conversationId: string,
    readonly workspaceId: string,
    readonly kbEntryIds: readonly string[],
  ) {}
}
