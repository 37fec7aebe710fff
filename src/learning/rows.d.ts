// Written by `npm run rows`: what PostgreSQL says of this folder's statements.
import type { Json } from "../platform/database/row-types.js";

declare module "../platform/database/row-types.js" {
  interface Statements {
    "assistant tests.lag": { args: {}; row: { seconds?: number } };
    "assistantTests.beat": { args: { id: string; lease: string; leaseSeconds: number }; row: { "?column?": number } };
    "assistantTests.claim": {
      args: {
        free: number;
        held: readonly (number | null)[];
        leaseSeconds: number;
        limit: number;
        tenants: readonly (string | null)[];
      };
      row: { tenantId: string; id: string; environment: string; lease: string | null };
    };
    "assistantTests.count": { args: { workspaceId: string }; row: { count: number } };
    "assistantTests.countOpenRuns": { args: { workspaceId: string }; row: { count: number } };
    "assistantTests.end": { args: { id: string; lease: string }; row: { "?column?": number } };
    "assistantTests.forget": { args: { conversationIds: readonly (string | null)[] }; row: {} };
    "assistantTests.forgetRuns": { args: { keep: number; workspaceId: string }; row: {} };
    "assistantTests.hasAll": {
      args: {
        entries: readonly (string | null)[];
        procedures: readonly (string | null)[];
        tests: readonly (string | null)[];
        workspaceId: string;
      };
      row: { all?: boolean };
    };
    "assistantTests.keepChanges": { args: { changes: string; id: string }; row: {} };
    "assistantTests.makeDue": { args: { id: string }; row: {} };
    "assistantTests.recent": {
      args: { days: number; most: number; workspaceId: string };
      row: { since?: string; found?: number; ids: string[] };
    };
    "assistantTests.recorded": {
      args: { ids: readonly (string | null)[]; most: number };
      row: {
        id: string;
        channelType: string | null;
        subject: string | null;
        language?: string;
        level?: string;
        proofs?: Json;
        messages?: Json;
      };
    };
    "assistantTests.scene": {
      args: { entryIds: readonly (string | null)[]; workspaceId: string };
      row: {
        workspaceId: string;
        primaryLanguage: string;
        thresholds?: Json;
        today?: string;
        agent?: Json;
        procedures?: Json;
        tools?: Json;
        said?: Json;
      };
    };
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
