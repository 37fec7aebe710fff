// Written by `npm run rows`: what PostgreSQL says of this folder's statements.
export {};

declare module "../platform/database/row-types.js" {
  interface Statements {
    "demo.find": { args: { externalId: string }; row: { tenants: number; complete: boolean; tenantId?: string } };
    "demo.listBankConversations": { args: {}; row: { conversationId: string; contactId: string } };
    "demo.lookBackAtContacts": { args: {}; row: {} };
    "demo.markComplete": { args: {}; row: {} };
    "demo.rate": { args: {}; row: {} };
    "demo.spreadConversations": { args: {}; row: {} };
    "demo.spreadMessages": { args: {}; row: {} };
  }
}
