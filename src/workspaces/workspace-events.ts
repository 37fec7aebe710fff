/** A workspace has another primary language than before. */
export class PrimaryLanguageChanged {
  constructor(
    readonly workspaceId: string,
    /** ISO 639-1. */
    readonly language: string,
  ) {}
}
