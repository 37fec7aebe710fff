// Written by `npm run rows`: what PostgreSQL says of this folder's statements.
import type { Json } from "../platform/database/row-types.js";

declare module "../platform/database/row-types.js" {
  interface Statements {
    "learning.add": {
      args: {
        answer: string;
        conversationId: string;
        id: string;
        language: string;
        messageId: string;
        question: string;
        sequence: number;
        workspaceId: string;
      };
      row: { id: string };
    };
    "learning.assign": { args: { entryId: string; ids: readonly (string | null)[] }; row: {} };
    "learning.claim": {
      args: {
        free: number;
        held: readonly (number | null)[];
        leaseSeconds: number;
        limit: number;
        tenants: readonly (string | null)[];
      };
      row: {
        tenantId: string;
        id: string;
        environment: string;
        afterSequence: number;
        untilSequence: number;
        revision: number;
      };
    };
    "learning.entries": {
      args: { ids: readonly (string | null)[]; workspaceId: string };
      row: {
        id: string;
        status: string;
        question: string;
        answer: string;
        alternateQuestions: string[];
        language: string;
        labels: string[];
      };
    };
    "learning.facts": {
      args: { afterSequence: number; conversationId: string; maxText: number; untilSequence: number };
      row: {
        channelType: string | null;
        primaryLanguage: string;
        language?: string;
        names: string[];
        members: string[];
        identifiers?: string[];
        ours: string[];
        missed?: Json;
        messages?: Json;
      };
    };
    "learning.forget": { args: { conversationIds: readonly (string | null)[] }; row: {} };
    "learning.hold": { args: { conversationId: string }; row: { workspaceId: string } };
    "learning.holdAll": { args: { conversationIds: readonly (string | null)[] }; row: { id: string } };
    "learning.lag": { args: {}; row: { seconds?: number } };
    "learning.recent": {
      args: { conversationId: string; workspaceId: string };
      row: {
        id: string;
        conversationId: string;
        contactId: string;
        messageId: string;
        question: string;
        answer: string;
        language: string;
        terms: number[];
        entryId: string | null;
        status: string | null;
        origin?: string;
      };
    };
    "learning.strengthen": { args: { confidence: number; entryId: string; evidence: string }; row: { id: string } };
    "learning.takeTurn": { args: { workspaceId: string }; row: { pg_advisory_xact_lock?: string } };
    "policyProposals.decisions": {
      args: { names: readonly (string | null)[]; tool: string; workspaceId: string };
      row: {
        conversationId: string;
        contactId: string;
        origin?: string;
        messageId: string | null;
        approved?: boolean;
        tainted: boolean;
        byPerson: boolean;
        values?: Json;
      };
    };
    "policyProposals.hold": { args: { ids: readonly (string | null)[] }; row: { id: string } };
    "policyProposals.propose": {
      args: {
        conditions: string;
        confidence: number;
        evidence: string;
        id: string;
        learnedFrom: string;
        priority: number;
        rule: string;
        title: string;
        tool: string;
        workspaceId: string;
      };
      row: { id: string };
    };
    "policyProposals.takeTurn": { args: { workspaceId: string }; row: { pg_advisory_xact_lock?: string } };
    "policyProposals.tool": {
      args: { tool: string; workspaceId: string };
      row: { parameters: Json; proposed: string[] };
    };
  }
}
