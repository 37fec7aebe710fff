// Written by `npm run rows`: what PostgreSQL says of this folder's statements.
export {};

declare module "../platform/database/row-types.js" {
  interface Statements {
    "audit.record": {
      args: {
        change: string;
        conversationId: string;
        counts: string;
        fields: readonly (string | null)[];
        resourceId: string;
        resourceType: string;
        workspaceId: string;
      };
      row: { audit_note?: string };
    };
    "audit.suspendRowAudit": { args: {}; row: { set_config?: string } };
  }
}
