/** A person or key approved an action. Published in the transaction that does it, with the action's conversation locked. */
export class ActionApproved {
  constructor(
    readonly workspaceId: string,
    readonly tool: string,
  ) {}
}
