// Written by `npm run rows`: what PostgreSQL says of this folder's statements.
import type { Json } from "../platform/database/row-types.js";

declare module "../platform/database/row-types.js" {
  interface Statements {
    "breakerSettings.put": { args: { settings: string; workspaceId: string }; row: { id: string } };
    "breakers.findWatched": {
      args: { touched: string };
      row: {
        workspaceId?: string;
        metric?: string;
        entityType?: string;
        entityId?: string;
        threshold?: number;
        windowDays?: number;
        minimumSample?: number;
        action?: string;
        days: Json;
      };
    };
    "breakers.resolve": {
      args: { by: string; id: string; note: string };
      row: { workspaceId: string; metric: string; entityType: string; entityId: string; resolved: boolean };
    };
    "breakers.trip": {
      args: {
        action: string;
        days: number;
        entityId: string;
        entityType: string;
        id: string;
        low: number;
        metric: string;
        observed: number;
        threshold: number;
        total: number;
        windowDays: number;
        workspaceId: string;
      };
      row: { name?: string };
    };
    "csatConfig.put": {
      args: {
        askOncePerDays: number;
        delayMinutes: number;
        enabled: boolean;
        lowScoreThreshold: number;
        questions: string;
        scale: number;
        workspaceId: string;
      };
      row: {};
    };
    "reportDays.begin": { args: {}; row: {} };
    "reportDays.findRuns": {
      args: { limit: number; next: string; until: string };
      row: { workspaceId: string; since?: string; until?: string };
    };
    "reportDays.lock": { args: {}; row: { until: string; due?: string } };
    "reportDays.pack": {
      args: {
        sinces: readonly (string | null)[];
        untils: readonly (string | null)[];
        workspaceIds: readonly (string | null)[];
      };
      row: {};
    };
    "reportDays.sides": { args: {}; row: { id: string; environment: string } };
    "surveys.addComment": { args: { comment: string; id: string }; row: { workspaceId: string } };
    "surveys.claimDue": {
      args: {
        free: number;
        held: readonly (number | null)[];
        limit: number;
        seconds: number;
        tenants: readonly (string | null)[];
      };
      row: { tenantId: string; id: string; environment: string; until: string };
    };
    "surveys.countHelpful": { args: { kbEntryIds: readonly (string | null)[] }; row: {} };
    "surveys.deleteDue": { args: { conversationIds: readonly (string | null)[] }; row: {} };
    "surveys.deleteDueOfContacts": { args: { contactIds: readonly (string | null)[] }; row: {} };
    "surveys.eraseComments": { args: { conversationIds: readonly (string | null)[] }; row: { "?column?": number } };
    "surveys.findCandidate": {
      args: { conversationId: string };
      row: {
        workspaceId: string;
        channelId: string;
        contactId: string;
        scale: number;
        lowScoreThreshold: number;
        questions: Json;
        brand: string;
        languages?: string[];
        active?: boolean;
        memberId?: string;
        agentIds: string[];
        kbEntryIds: string[];
      };
    };
    "surveys.insert": {
      args: {
        agentIds: readonly (string | null)[];
        channelId: string;
        contactId: string;
        conversationId: string;
        id: string;
        kbEntryIds: readonly (string | null)[];
        language: string;
        lowScoreThreshold: number;
        memberId: string;
        notSent: string;
        question: string;
        questionLanguage: string;
        scale: number;
        validDays: number;
        workspaceId: string;
      };
      row: {};
    };
    "surveys.lag": { args: {}; row: { seconds?: number } };
    "surveys.lockContact": { args: { contactId: string }; row: { "?column?": number } };
    "surveys.lockConversation": { args: { id: string }; row: { id: string } };
    "surveys.lockDueConversation": { args: { conversationId: string }; row: { contactId: string } };
    "surveys.moveToContact": { args: { from: string; to: string }; row: {} };
    "surveys.rate": {
      args: { comment: string; id: string; score: number };
      row: {
        workspaceId: string;
        conversationId: string;
        channelId: string;
        memberId: string | null;
        agentIds: string[];
        kbEntryIds: string[];
        scale: number;
        lowScoreThreshold: number;
      };
    };
    "surveys.takeDue": { args: { conversationId: string; until: Date | string }; row: { "?column?": number } };
  }
}
