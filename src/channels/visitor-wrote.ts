/** A visitor wrote from a public page, without a proof of who they are. The conversation's row is locked until the end of the transaction. */
export class VisitorWrote {
  constructor(
    readonly conversationId: string,
    /** Under which the requests of their network address are counted. */
    readonly client: string,
  ) {}
}
