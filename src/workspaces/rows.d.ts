// Written by `npm run rows`: what PostgreSQL says of this folder's statements.
export {};

declare module "../platform/database/row-types.js" {
  interface Statements {
    "tenants.find": { args: { tenant: string }; row: { id: string; name: string; environment: string } };
    "tenants.findByExternalId": { args: { externalId: string }; row: { id: string } };
    "tenants.findTestSide": { args: { organisationId: string }; row: { id: string } };
    "tenants.listLive": { args: {}; row: { id: string; name: string } };
    "tenants.update": {
      args: { name: string; requireSecondFactor: boolean; signInValidMinutes: number; webhooksPreview: boolean };
      row: {};
    };
    "workspaces.dropOldLogos": { args: { workspaceId: string }; row: {} };
    "workspaces.update": {
      args: {
        allowedFrom: readonly (string | null)[];
        assistantEnabled: boolean;
        id: string;
        mailFooter: string;
        mailLogoUrl: string;
        name: string;
        primaryLanguage: string;
        setsFooter: boolean;
        setsLogo: boolean;
        status: string;
        timezone: string;
      };
      row: { languageChanged?: boolean };
    };
    "workspaces.waitForWriters": { args: { id: string }; row: { pg_advisory_xact_lock?: string } };
  }
}
