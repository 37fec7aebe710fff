/** A tenant was made: each of the two sides of an organisation is one. It has no brand and no workspace yet. */
export class TenantProvisioned {}

/** A workspace has another primary language than before. */
export class PrimaryLanguageChanged {
  constructor(
    readonly workspaceId: string,
    /** ISO 639-1. */
    readonly language: string,
  ) {}
}

/** A workspace was made. It has no channels yet. */
export class WorkspaceCreated {
  constructor(readonly workspaceId: string) {}
}
