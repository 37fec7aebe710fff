// Written by `npm run rows`: what PostgreSQL says of this folder's statements.
import type { Json } from "../platform/database/row-types.js";

declare module "../platform/database/row-types.js" {
  interface Statements {
    "assurance.endFactors": {
      args: { contactId: string; factorTypes: readonly (string | null)[] };
      row: { conversationId: string };
    };
    "assurance.insertFactor": {
      args: {
        contactId: string;
        conversationId: string;
        factorCategory: string;
        factorType: string;
        id: string;
        lifetimeMinutes: number;
      };
      row: {};
    };
    "assurance.refreshLevels": {
      args: { conversationIds: readonly (string | null)[] };
      row: { before: string; level?: string };
    };
    "assuranceJob.claim": {
      args: {
        free: number;
        held: readonly (number | null)[];
        leaseSeconds: number;
        limit: number;
        tenants: readonly (string | null)[];
      };
      row: { tenantId: string; id: string; environment: string; until: string };
    };
    "assuranceJob.forget": { args: { conversationId: string; until: Date | string }; row: {} };
    "assuranceJob.lag": { args: {}; row: { seconds?: number } };
    "callerIdMatch.findVerifiedCaller": { args: { conversationId: string }; row: { contactId: string } };
    "eid.findAddress": { args: { contactId: string; verified: boolean }; row: { value: string } };
    "eid.findSurroundings": {
      args: { contactId: string; workspaceId: string };
      row: { brand: string; archived?: boolean; merged: boolean };
    };
    "eid.findWait": { args: { contactId: string; max: number; minutes: number }; row: { seconds?: number } };
    "eid.lockContact": { args: { contactId: string }; row: { pg_advisory_xact_lock?: string } };
    "eidJob.claim": {
      args: {
        free: number;
        held: readonly (number | null)[];
        leaseSeconds: number;
        limit: number;
        tenants: readonly (string | null)[];
      };
      row: { tenantId: string; id: string };
    };
    "eidJob.forget": { args: { requestId: string; tenantId: string }; row: {} };
    "eidJob.lag": { args: {}; row: { seconds?: number } };
    "eidJob.pollLater": { args: { moreSeconds: number; requestId: string; tenantId: string }; row: {} };
    "eidLinks.begin": {
      args: { browserHash: string; id: string; sealed: Buffer; stateHash: string };
      row: { id: string };
    };
    "eidRequests.areTwoPeople": { args: { from: string; to: string }; row: { different: boolean } };
    "eidRequests.bindPerson": { args: { contactId: string; issuer: string; person: Buffer }; row: {} };
    "eidRequests.end": {
      args: { id: string; status: string };
      row: { status: string; contactId: string; scheme: string; issuer: string };
    };
    "eidRequests.eraseContacts": { args: { contactIds: readonly (string | null)[] }; row: { erased?: number } };
    "eidRequests.findBinding": {
      args: { contactId: string; issuer: string; person: Buffer };
      row: { same?: boolean; elsewhere: boolean };
    };
    "eidRequests.insert": {
      args: {
        contactId: string;
        conversationId: string;
        id: string;
        intervalSeconds: number;
        issuer: string;
        linkHash: string;
        mode: string;
        scheme: string;
        sealed: Buffer;
        seconds: number;
      };
      row: { expiresAt?: string };
    };
    "eidRequests.keepApproval": { args: { id: string; minutes: number; person: Buffer }; row: {} };
    "eidRequests.rekeyPerson": {
      args: { issuer: string; person: Buffer; persons: readonly (Buffer | null)[] };
      row: {};
    };
    "eidRequests.takeApproval": {
      args: { conversationId: string; id: string };
      row: { issuer: string; person: Buffer; scheme: string; minutes?: number };
    };
    "expectedAnswers.findPerson": {
      args: { contactId: string };
      row: {
        id: string;
        externalId: string | null;
        name: string | null;
        emails: string[];
        phones: string[];
        attributes: Json;
      };
    };
    "identityEvents.insert": {
      args: {
        conversationId: string;
        eventType: string;
        evidenceRef: string;
        factorBoundToPrincipal: string;
        factorCategory: string;
        factorType: string;
        id: string;
        promptVersion: string;
        scopeDimension: string;
        scopeValues: string;
        transitionKey: string;
      };
      row: { id: string };
    };
    "identityPersonalData.deleteVerifications": {
      args: { contactIds: readonly (string | null)[] };
      row: { verifications?: number };
    };
    "identityPersonalData.eraseEvents": { args: { contactIds: readonly (string | null)[] }; row: { events?: number } };
    "identityPersonalData.move": {
      args: { from: string; to: string };
      row: { identityEvents?: number; verifications?: number };
    };
    "identityPersonalData.purgeEvents": { args: { contactIds: readonly (string | null)[] }; row: { events?: number } };
    "identitySettings.replace": {
      args: {
        addressCoolOffHours: number;
        allowedFactors: readonly (string | null)[];
        factorLifetimeMinutes: number;
        magicLinkMinutes: number;
        maxWrongPerCallerId24h: number;
        maxWrongPerConversation: number;
        maxWrongPerIdentity24h: number;
        promptVersion: string;
        requireLinkCode: boolean;
        requiredCorrectAnswers: number;
        workspaceId: string;
      };
      row: {};
    };
    "magicLinks.countWrongCode": {
      args: { code: string; hash: string; id: string; max: number; tries: number };
      row: { brand: string; workspace: string; open: boolean };
    };
    "magicLinks.findFailure": { args: { hash: string; id: string }; row: { failure?: string } };
    "magicLinks.insert": {
      args: {
        channel: string;
        code: string;
        contactId: string;
        conversationId: string;
        counts: boolean;
        hash: string;
        linkId: string;
        magicLinkMinutes: number;
        pointId: string;
      };
      row: { expiresAt?: string };
    };
    "magicLinks.redeem": {
      args: { code: string; hash: string; id: string };
      row: { brand: string; workspace: string; counts: boolean };
    };
    "oneTimeCodes.findState": { args: { codeId: string; max: number }; row: { state?: string } };
    "oneTimeCodes.insert": {
      args: {
        channel: string;
        codeHash: Buffer;
        codeId: string;
        contactId: string;
        conversationId: string;
        counts: boolean;
        minutes: number;
        pointId: string;
      };
      row: { expiresAt?: string };
    };
    "oneTimeCodes.takeTry": {
      args: { codeId: string; factorType: string; max: number };
      row: { tries: number; codeHash: Buffer };
    };
    "possession.findRecipient": {
      args: { contactId: string; coolOffHours: number; kind: string; to: string; workspaceId: string };
      row: {
        brand: string;
        workspace: string;
        archived?: boolean;
        merged: boolean;
        pointId: string | null;
        address: string | null;
        counts: boolean | null;
      };
    };
    "possession.findWait": { args: { contactId: string; max: number; minutes: number }; row: { seconds?: number } };
    "possession.findWaitForCodes": {
      args: { contactId: string; max: number; minutes: number };
      row: { seconds?: number };
    };
    "possession.lockAddress": { args: { pointId: string }; row: { pg_advisory_xact_lock?: string } };
    "possession.lockContact": { args: { contactId: string }; row: { pg_advisory_xact_lock?: string } };
    "possession.proveAddress": { args: { pointId: string }; row: { "?column?": number } };
    "verification.chooseQuestions": {
      args: { conversationId: string; count: number | string; workspaceId: string };
      row: { source: string; key?: string; prompt?: string };
    };
    "verification.countRightAnswers": { args: { conversationId: string; minutes: number }; row: { right: number } };
    "verification.findConfigured": { args: { workspaceId: string }; row: { sources: boolean; schemes: boolean } };
    "verificationContext.findExclusive": {
      args: { conversationId: string; pepper: Buffer };
      row: {
        conversationId: string;
        contactId: string;
        workspaceId: string;
        callerId: string | null;
        callerHash?: Buffer;
        assuranceLevel: string;
        language?: string;
      };
    };
    "verificationContext.findShared": {
      args: { conversationId: string; pepper: Buffer };
      row: {
        conversationId: string;
        contactId: string;
        workspaceId: string;
        callerId: string | null;
        callerHash?: Buffer;
        assuranceLevel: string;
        language?: string;
      };
    };
    "wrongAnswerCaps.forgive": {
      args: { by: string; callerHash: Buffer; contactId: string; conversationId: string };
      row: { id: string };
    };
    "wrongAnswerCaps.justReached": {
      args: {
        callerHash: Buffer;
        contactId: string;
        conversationId: string;
        maxWrongPerCallerId24h: number;
        maxWrongPerConversation: number;
        maxWrongPerIdentity24h: number;
      };
      row: { conversation?: boolean; identity?: boolean; callerId?: boolean };
    };
    "wrongAnswerCaps.lockCounts": {
      args: { names: readonly (string | null)[] };
      row: { pg_advisory_xact_lock?: string };
    };
    "wrongAnswerCaps.reached": {
      args: {
        callerHash: Buffer;
        contactId: string;
        conversationId: string;
        maxWrongPerCallerId24h: number;
        maxWrongPerConversation: number;
        maxWrongPerIdentity24h: number;
      };
      row: { conversation?: boolean; identity?: boolean; callerId?: boolean };
    };
    "wrongAnswerCaps.remaining": {
      args: {
        callerHash: Buffer;
        contactId: string;
        conversationId: string;
        maxWrongPerCallerId24h: number;
        maxWrongPerConversation: number;
        maxWrongPerIdentity24h: number;
      };
      row: { remaining?: number };
    };
    "wrongAnswerCaps.takeAttempt": {
      args: { callerHash: Buffer; contactId: string; conversationId: string; questionId: string };
      row: { id: string };
    };
  }
}
