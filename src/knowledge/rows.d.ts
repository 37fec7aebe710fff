// Written by `npm run rows`: what PostgreSQL says of this folder's statements.
import type { Json } from "../platform/database/row-types.js";

declare module "../platform/database/row-types.js" {
  interface Statements {
    "agents.add-platform": { args: {}; row: { add_platform_agents?: string } };
    "agents.assign": { args: { id: string; workspaceIds: readonly (string | null)[] }; row: { reached: number } };
    "agents.state": {
      args: { id: string };
      row: {
        kind: string;
        tools: string[];
        guardrails: Json;
        instructions: string;
        instructionsVersion: number;
        beyondReach: boolean;
      };
    };
    "embeddings.findDue": { args: { mark: string }; row: { entryId: string; n: number; said: string } };
    "embeddings.store": {
      args: {
        entries: readonly (string | null)[];
        mark: string;
        ns: readonly (number | null)[];
        said: readonly (string | null)[];
        vectors: readonly (string | null)[];
      };
      row: {};
    };
    "embeddings.tenants": { args: {}; row: { id: string } };
    "embeddings.waitForTurn": { args: {}; row: { pg_advisory_xact_lock?: string } };
    "kb-entries.alike": {
      args: { asked: string; entries: number | string; maxPostings: number; workspaceId: string };
      row: {
        i?: number;
        id: string | null;
        n: number;
        said: string;
        weight?: number;
        terms?: number[];
        embedded: number | null;
      };
    };
    "kb-entries.archive": { args: { id: string }; row: { workspaceId: string } };
    "kb-entries.countRetrieved": {
      args: { counts: readonly (number | null)[]; ids: readonly (string | null)[] };
      row: {};
    };
    "kb-entries.delete": { args: { ids: readonly (string | null)[] }; row: {} };
    "kb-entries.deleteVersions": { args: { ids: readonly (string | null)[] }; row: {} };
    "kb-entries.edit": {
      args: { by: string; changes: string; id: string; ifVersion: number; reason: string };
      row: { workspaceId: string };
    };
    "kb-entries.forgetDuplicates": { args: { ids: readonly (string | null)[] }; row: {} };
    "kb-entries.import": { args: { by: string; entries: string; workspaceId: string }; row: {} };
    "kb-entries.lock": { args: { id: string }; row: { workspaceId: string } };
    "kb-entries.lockWithEvidence": {
      args: { conversationIds: readonly (string | null)[] };
      row: { id: string; kept?: boolean };
    };
    "kb-entries.removeEvidence": {
      args: { conversationIds: readonly (string | null)[]; ids: readonly (string | null)[] };
      row: {};
    };
    "kb-entries.returnToReview": { args: { id: string }; row: {} };
    "kb-entries.review": {
      args: { by: string; id: string; ifVersion: number; reason: string; status: string };
      row: { workspaceId: string };
    };
    "kbEntries.reindex": { args: { language: string; workspaceId: string }; row: { kb_reindex?: string } };
    "knowledge.lockEvidence": { args: { evidence: string; workspaceId: string }; row: { "?column?": number } };
    "policies.reindex": { args: { language: string; workspaceId: string }; row: { policy_reindex?: string } };
    "policy-entries.alike": {
      args: { asked: string; entries: number | string; maxPostings: number; workspaceId: string };
      row: {
        i?: number;
        id: string | null;
        n: number;
        said: string;
        weight?: number;
        terms?: number[];
        embedded: number | null;
      };
    };
    "policy-entries.archive": { args: { id: string }; row: { workspaceId: string } };
    "policy-entries.countRetrieved": {
      args: { counts: readonly (number | null)[]; ids: readonly (string | null)[] };
      row: {};
    };
    "policy-entries.delete": { args: { ids: readonly (string | null)[] }; row: {} };
    "policy-entries.deleteVersions": { args: { ids: readonly (string | null)[] }; row: {} };
    "policy-entries.edit": {
      args: { by: string; changes: string; id: string; ifVersion: number; reason: string };
      row: { workspaceId: string };
    };
    "policy-entries.forgetDuplicates": { args: { ids: readonly (string | null)[] }; row: {} };
    "policy-entries.import": { args: { by: string; entries: string; workspaceId: string }; row: {} };
    "policy-entries.lock": { args: { id: string }; row: { workspaceId: string } };
    "policy-entries.lockWithEvidence": {
      args: { conversationIds: readonly (string | null)[] };
      row: { id: string; kept?: boolean };
    };
    "policy-entries.removeEvidence": {
      args: { conversationIds: readonly (string | null)[]; ids: readonly (string | null)[] };
      row: {};
    };
    "policy-entries.returnToReview": { args: { id: string }; row: {} };
    "policy-entries.review": {
      args: { by: string; id: string; ifVersion: number; reason: string; status: string };
      row: { workspaceId: string };
    };
    "sources.beat": { args: { id: string; lease: string; leaseSeconds: number }; row: { "?column?": number } };
    "sources.claim": {
      args: {
        free: number;
        held: readonly (number | null)[];
        leaseSeconds: number;
        limit: number;
        tenants: readonly (string | null)[];
      };
      row: { tenantId: string; id: string; environment: string; lease: string | null };
    };
    "sources.count": { args: { workspaceId: string }; row: { count: number } };
    "sources.countFound": { args: { id: string }; row: { count: number } };
    "sources.endReading": {
      args: { id: string; lease: string };
      row: { workspaceId: string; schedule: string; language: string; deleted: boolean };
    };
    "sources.keepPages": { args: { gone: readonly (string | null)[]; id: string; pages: string }; row: {} };
    "sources.keepSections": { args: { id: string; sections: string }; row: {} };
    "sources.keepSite": { args: { lease: string; leaseSeconds: number; site: string }; row: { "?column?": number } };
    "sources.knownPages": {
      args: { first: string; id: string; most: number };
      row: { url: string; etag: string | null; lastModified: string | null };
    };
    "sources.knownSections": {
      args: { id: string };
      row: {
        key: string;
        url: string;
        digest: string | null;
        entryId: string | null;
        entryDigest: string | null;
        proposalId: string | null;
      };
    };
    "sources.lag": { args: {}; row: { seconds?: number } };
    "sources.leaveSite": { args: { lease: string; site: string }; row: {} };
    "sources.lock": {
      args: { id: string };
      row: { workspaceId: string; status: string; kind: string; url: string | null };
    };
    "sources.lockEntries": { args: { id: string }; row: { id: string; status: string } };
    "sources.lockWaiting": { args: { id: string }; row: { id: string } };
    "sources.makeDue": { args: { id: string; schedule: string }; row: {} };
    "sources.propose": { args: { entries: string; workspaceId: string }; row: {} };
    "sources.sameTexts": {
      args: { texts: string; workspaceId: string };
      row: { i?: number; id: string; status: string };
    };
    "sources.takeSite": { args: { lease: string; leaseSeconds: number; site: string }; row: { "?column?": number } };
    "sources.wereRead": { args: { id: string; urls: readonly (string | null)[] }; row: { url: string } };
    "sources.withdraw": { args: { ids: readonly (string | null)[]; reason: string }; row: {} };
  }
}
