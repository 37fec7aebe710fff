// Written by `npm run rows`: what PostgreSQL says of this folder's statements.
import type { Json } from "../platform/database/row-types.js";

declare module "../platform/database/row-types.js" {
  interface Statements {
    "assistant.addSteps": {
      args: { attempts: number; id: string; inputTokens: number; outputTokens: number; steps: string };
      row: { workspaceId: string; tokensToday?: number; off?: string };
    };
    "assistant.begin": {
      args: { conversationId: string };
      row: {
        id: string;
        conversationId: string;
        sequence: number;
        agentId: string;
        instructionsVersion: number;
        attempts: number;
        died?: number;
        overdue: boolean;
        agentName?: string;
      };
    };
    "assistant.claim": {
      args: {
        free: number;
        graceSeconds: number;
        held: readonly (number | null)[];
        limit: number;
        tenants: readonly (string | null)[];
      };
      row: { tenantId: string; id: string; environment: string; limitSeconds: number };
    };
    "assistant.context": {
      args: { conversationId: string; max: number | string };
      row: {
        workspaceId: string;
        channelType: string | null;
        subject: string | null;
        primaryLanguage: string;
        language?: string;
        off?: string;
        thresholds?: Json;
        messages?: Json;
        proofs?: Json;
        procedures?: boolean;
        clarified?: Json;
      };
    };
    "assistant.countTokens": { args: { inputTokens: number; outputTokens: number; workspaceId: string }; row: {} };
    "assistant.end": {
      args: {
        handOverReason: string;
        id: string;
        outcome: string;
        reason: string;
        steps: string;
        waitHours: number;
        waitsFor: string;
      };
      row: {};
    };
    "assistant.forget": { args: { conversationIds: readonly (string | null)[] }; row: {} };
    "assistant.handOver": {
      args: { id: string; sequence: number; summary: string };
      row: { workspaceId: string; erased: boolean; changes?: boolean };
    };
    "assistant.hold": {
      args: { conversationId: string };
      row: { workspaceId: string; handlingMode: string; resolved?: boolean; lastTurn: number };
    };
    "assistant.lag": { args: {}; row: { seconds?: number } };
    "assistant.leaveToPeople": {
      args: { id: string };
      row: { workspaceId: string; erased: boolean; changes?: boolean };
    };
    "assistant.prepareDraft": {
      args: { workspaceId: string };
      row: { instructions: string; unsupportedSentences: string; wording: string; tokensToday?: number };
    };
    "assistant.prepareModel": {
      args: { id: string };
      row: { instructions: string; unsupportedSentences: string; wording: string; tokensToday?: number };
    };
    "assistant.queue": {
      args: {
        byKey: boolean;
        chatSeconds: number;
        conversationId: string;
        id: string;
        mailSeconds: number;
        messageId: string;
        waitSeconds: number;
      };
      row: { conversationId: string };
    };
    "assistant.resolve": {
      args: { id: string; sequence: number };
      row: { workspaceId: string; erased: boolean; changes?: boolean };
    };
    "assistant.return": { args: { conversationId: string; waitSeconds: number }; row: {} };
    "assistant.take": { args: { attempts: number; id: string }; row: { "?column?": number } };
    "assistantSettings.put": {
      args: { answerConfidence: number; clarifyConfidence: number; margin: number; workspaceId: string };
      row: {};
    };
    "pendingActions.approve": { args: { by: string; hash: string; id: string }; row: { "?column?": number } };
    "pendingActions.claim": {
      args: {
        free: number;
        held: readonly (number | null)[];
        leaseSeconds: number;
        limit: number;
        tenants: readonly (string | null)[];
      };
      row: { tenantId: string; id: string; environment: string };
    };
    "pendingActions.close": {
      args: { by: string; id: string; reason: string; status: string };
      row: { "?column?": number };
    };
    "pendingActions.endRefused": { args: { reason: string; runId: string }; row: {} };
    "pendingActions.erase": { args: { conversationIds: readonly (string | null)[] }; row: {} };
    "pendingActions.find": {
      args: { id: string };
      row: {
        id: string;
        workspaceId: string;
        conversationId: string;
        agentId: string;
        runId: string;
        tool: string;
        arguments: Json;
        argumentsHash: string;
        tainted: boolean;
        status: string;
        expired?: boolean;
        started: boolean;
      };
    };
    "pendingActions.finish": { args: { id: string; result: string; status: string }; row: { runId: string } };
    "pendingActions.handOver": {
      args: { id: string; reason: string };
      row: { workspaceId: string; erased: boolean; changes?: boolean };
    };
    "pendingActions.isRequestedBy": { args: { by: string; id: string }; row: { "?column?": number } };
    "pendingActions.lag": { args: {}; row: { seconds?: number } };
    "pendingActions.postpone": { args: { id: string }; row: {} };
    "pendingActions.resumeRun": {
      args: { chatSeconds: number; mailSeconds: number; runId: string };
      row: { "?column?": number };
    };
    "pendingActions.settleAttention": { args: { by: string; conversationId: string }; row: {} };
    "procedures.answering": { args: { workspaceId: string }; row: { id: string } };
    "procedures.count": { args: { workspaceId: string }; row: { count: number } };
    "procedures.forget": { args: { conversationIds: readonly (string | null)[] }; row: {} };
    "procedures.noteSteps": {
      args: { attempts: number; runId: string; steps: string };
      row: { workspaceId: string; off?: string };
    };
    "procedures.ofConversation": {
      args: { agentId: string; conversationId: string };
      row: { workspaceId: string; level?: string; today?: string; open?: Json; starts?: Json };
    };
    "procedures.save": {
      args: { conversationId: string; ending: string; id: string; procedureId: string; state: string; version: number };
      row: {};
    };
    "procedures.steps": { args: { conversationId: string; procedureId: string }; row: { taken?: Json } };
    "procedures.tried": {
      args: { id: string; steps: string };
      row: {
        workspaceId: string;
        agentId: string;
        primaryLanguage: string;
        steps: Json;
        today?: string;
        tools?: Json;
        entries?: Json;
      };
    };
    "procedures.unknown": {
      args: {
        agentId: string;
        entries: readonly (string | null)[];
        tools: readonly (string | null)[];
        workspaceId: string;
      };
      row: { agent: boolean; tools: string[]; entries: string[] };
    };
    "suggestions.add": {
      args: { conversationId: string; sequence: number; suggestions: string };
      row: { kbEntryId: string };
    };
    "suggestions.end": {
      args: { id: string; outcome: string };
      row: { workspaceId: string; kbEntryId: string; isNew: boolean; outcome?: string };
    };
    "suggestions.endCited": {
      args: { conversationId: string; kbEntryIds: readonly (string | null)[]; messageId: string };
      row: { kbEntryId: string; outcome: string | null };
    };
    "suggestions.forget": { args: { conversationIds: readonly (string | null)[] }; row: {} };
    "suggestions.ignored": { args: { conversationId: string; fromSequence: number }; row: { kbEntryId: string } };
    "toolCalls.addToSummary": {
      args: { id: string; line: string };
      row: { workspaceId: string; erased: boolean; changes: boolean };
    };
    "toolCalls.askForApproval": {
      args: {
        agentId: string;
        arguments: string;
        conversationId: string;
        expiresAfterHours: number;
        guardrail: string;
        hash: string;
        id: string;
        level: string;
        policyEntryIds: readonly (string | null)[];
        runId: string;
        since: number;
        tainted: boolean;
        tool: string;
      };
      row: { id: string; added: boolean };
    };
    "toolCalls.begin": {
      args: {
        arguments: string;
        conversationId: string;
        effect: string;
        hash: string;
        id: string;
        runId: string;
        tool: string;
      };
      row: { id: string };
    };
    "toolCalls.bound": {
      args: { agentId: string; attempts: number; conversationId: string; runId: string; tool: string };
      row: {
        workspaceId: string;
        conversationId: string;
        agentId: string;
        channelType: string | null;
        priority: string;
        labels: string[];
        primaryLanguage: string;
        level?: string;
        senderProof: string | null;
        contact?: Json;
        tools: string[];
        guardrails: Json;
        tool?: Json;
        sealed: Buffer | null;
        policies?: Json;
        off?: string;
        workspaceOff?: string;
      };
    };
    "toolCalls.changing": {
      args: { conversationId: string };
      row: { tool: string; arguments: Json; outcome: Json | null };
    };
    "toolCalls.countDone": {
      args: { actionId: string; contactId: string; hash: string; runId: string; wanted: string; workspaceId: string };
      row: { count: number; sum?: number };
    };
    "toolCalls.find": { args: { hash: string; runId: string }; row: { id: string; outcome: Json | null } };
    "toolCalls.findEscalated": { args: { runId: string; tool: string }; row: { found: boolean } };
    "toolCalls.lock": { args: { conversationId: string }; row: { workspaceId: string } };
    "toolCalls.lockDone": { args: { contactId: string }; row: { pg_advisory_xact_lock?: string } };
    "toolCalls.lockRun": { args: { id: string }; row: { over: boolean; workspaceId: string } };
    "toolCalls.made": {
      args: { conversationId: string; max: number | string };
      row: {
        runId: string;
        tool: string;
        arguments: Json;
        outcome: Json | null;
        actionId: string | null;
        status: string | null;
        result: Json | null;
      };
    };
    "toolCalls.offered": { args: { agentId: string; conversationId: string }; row: { tools: string[]; own?: Json } };
    "toolCalls.refuse": {
      args: {
        arguments: string;
        conversationId: string;
        effect: string;
        hash: string;
        id: string;
        outcome: string;
        runId: string;
        tool: string;
      };
      row: { again: boolean };
    };
    "toolCalls.writeSteps": { args: { runId: string; steps: string }; row: {} };
    "tools.count": { args: { workspaceId: string }; row: { count: number } };
    "verificationDialogue.note": {
      args: { conversationId: string; id: string; level: string; messageId: string; questionId: string; runId: string };
      row: {};
    };
    "verificationDialogue.noteAnswer": { args: { id: string; sequence: number }; row: {} };
    "verificationDialogue.open": {
      args: { conversationId: string };
      row: {
        id: string;
        questionId?: string;
        level?: string;
        sequence?: number;
        reached?: string;
        correct: boolean | null;
        answered?: number;
      };
    };
    "verificationDialogue.verifier": { args: { conversationId: string }; row: { version: string } };
    "writing.findMessage": {
      args: { id: string };
      row: {
        workspaceId: string;
        channelType: string | null;
        direction: string;
        body: string;
        isProof: boolean;
        tokensToday?: number;
      };
    };
    "writing.findPlace": {
      args: { conversationId: string };
      row: { workspaceId: string; primaryLanguage: string; tokensToday?: number };
    };
    "writing.listSaid": {
      args: { conversationId: string };
      row: { id: string; sequence: number; direction: string; authorType: string; body: string };
    };
  }
}
