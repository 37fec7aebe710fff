/** A conversation has started; its first message, if there is one, is not written yet. */
export class ConversationStarted {
  constructor(
    readonly id: string,
    readonly workspaceId: string,
    /** In E.164; null where it is withheld or the conversation is no call. */
    readonly callerId: string | null,
  ) {}
}

/** A message of ours was written that has to leave through the conversation's channel. */
export class MessageQueued {
  constructor(
    readonly message: {
      id: string;
      conversationId: string;
      channelId: string;
      sequence: number;
      /** As its receiver is to read it. */
      body: string;
      attachmentIds: readonly string[];
    },
  ) {}
}
