// Written by `npm run rows`: what PostgreSQL says of this folder's statements.
export {};

declare module "../platform/database/row-types.js" {
  interface Statements {
    "accounts.findByExternalId": { args: { externalId: string; self: string }; row: { id?: string } };
    "accounts.lockContacts": {
      args: { ids: readonly (string | null)[]; limit: number | string; self: string };
      row: { id: string };
    };
    "accounts.lockMany": { args: { ids: readonly (string | null)[]; self: string }; row: { id: string } };
    "accounts.setMany": {
      args: {
        ids: readonly (string | null)[];
        industry: string;
        plan: string;
        setsIndustry: boolean;
        setsPlan: boolean;
      };
      row: {};
    };
    "accounts.unlinkContacts": { args: { ids: readonly (string | null)[] }; row: {} };
    "accounts.update": {
      args: {
        attributes: string;
        domains: readonly (string | null)[];
        externalId: string;
        id: string;
        industry: string;
        name: string;
        plan: string;
        self: string;
      };
      row: { id: string };
    };
    "contacts.absorb": { args: { accountId: string; externalId: string; id: string; source: string }; row: {} };
    "contacts.changeMany": {
      args: {
        accountId: string;
        add: readonly (string | null)[];
        blocked: boolean;
        ids: readonly (string | null)[];
        links: boolean;
        remove: readonly (string | null)[];
      };
      row: {};
    };
    "contacts.empty": { args: { ids: readonly (string | null)[] }; row: { contacts?: number; contactPoints?: number } };
    "contacts.findByExternalId": { args: { externalId: string; self: string }; row: { id?: string } };
    "contacts.findElsewhere": { args: { ids: readonly (string | null)[] }; row: { id: string } };
    "contacts.findOutOfReach": {
      args: { externalIds: readonly (string | null)[]; self: string };
      row: { externalId: string };
    };
    "contacts.findPerson": { args: { id: string; self: string }; row: { id: string } };
    "contacts.import": { args: { by: string; contacts: string; points: string }; row: { id: string } };
    "contacts.lockAccount": { args: { accountId: string; self: string }; row: { id: string } };
    "contacts.lockAccountsOfBoth": { args: { id: string; self: string; source: string }; row: { id: string } };
    "contacts.lockBlocking": { args: { ids: readonly (string | null)[] }; row: { pg_advisory_xact_lock?: string } };
    "contacts.lockBoth": {
      args: { id: string; self: string; source: string };
      row: { id: string; externalId: string | null; mergedIntoId: string | null };
    };
    "contacts.lockByAddress": {
      args: { at: string; kind: string; value: string; within: string };
      row: { id: string; blocked: boolean };
    };
    "contacts.lockByExternalId": { args: { externalId: string; self: string }; row: { id?: string } };
    "contacts.lockDueForPurge": { args: { keptFor: string; limit: number | string }; row: { id: string } };
    "contacts.lockIdentified": { args: { at: string; externalId: string }; row: { id: string; isVouched?: boolean } };
    "contacts.lockMany": {
      args: {
        add: readonly (string | null)[];
        ids: readonly (string | null)[];
        remove: readonly (string | null)[];
        self: string;
      };
      row: { id: string; mergedIntoId: string | null; tooMany?: boolean };
    };
    "contacts.lockSender": { args: { id: string }; row: { id: string; blocked: boolean } };
    "contacts.lockVisible": { args: { id: string; self: string }; row: { mergedIntoId: string | null } };
    "contacts.mergeDoublePoints": { args: { id: string; source: string }; row: {} };
    "contacts.movePoints": { args: { id: string; source: string }; row: {} };
    "contacts.pointToSurvivor": { args: { id: string; source: string }; row: {} };
    "contacts.setPoints": { args: { id: string; kind: string; values: readonly (string | null)[] }; row: {} };
    "contacts.update": {
      args: {
        accountId: string;
        attributes: string;
        blocked: boolean;
        externalId: string;
        id: string;
        labels: readonly (string | null)[];
        language: string;
        name: string;
        self: string;
      };
      row: { id: string };
    };
    "contacts.vouchWithin": { args: { id: string; within: string }; row: {} };
  }
}
