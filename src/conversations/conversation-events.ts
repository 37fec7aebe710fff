/** A conversation has started. Its first message, if there is one, is not written yet. */
export class ConversationStarted {
  constructor(
    readonly id: string,
    readonly workspaceId: string,
    /** In E.164. Null if the number is withheld or the conversation is not a call. */
    readonly callerId: string | null,
  ) {}
}

/** The contact has written. The conversation's row is locked until the end of the transaction. */
export class MessageReceived {
  constructor(
    readonly id: string,
    readonly conversationId: string,
  ) {}
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
      attachmentIds: readonly string[];
      /** For how long it can be cancelled. */
      holdSeconds?: number;
    },
  ) {}
}
