/** One side of a tenant was created. It has no brand and no workspace yet. */
export class TenantProvisioned {}

/** The primary language of a workspace changed. */
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
