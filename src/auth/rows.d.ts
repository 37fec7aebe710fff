// Written by `npm run rows`: what PostgreSQL says of this folder's statements.
import type { Json } from "../platform/database/row-types.js";

declare module "../platform/database/row-types.js" {
  interface Statements {
    "apiKeys.checkNew": {
      args: { brandId: string; expiresAt: Date | string; workspaceId: string };
      row: { inFuture?: boolean; found?: boolean };
    };
    "apiKeys.findByHash": { args: { hash: string }; row: { credential?: Json } };
    "apiKeys.noteUse": { args: { hashes: readonly (Buffer | null)[] }; row: {} };
    "apiKeys.rotate": {
      args: { id: string; overlapHours: number };
      row: {
        name: string;
        scopes: string[];
        brandId: string | null;
        workspaceId: string | null;
        expiresAt: Date | null;
        lineageId: string;
        active?: boolean;
      };
    };
    "apiKeys.update": {
      args: {
        expiresAt: Date | string;
        id: string;
        name: string;
        scopes: readonly (string | null)[];
        setsExpiry: boolean;
      };
      row: { inFuture?: boolean; changed: boolean };
    };
    "memberEmails.add": {
      args: { email: string; memberId: string; organisationId: string; proven: boolean };
      row: { "?column?": number };
    };
    "memberEmails.bindIdentity": {
      args: { email: string; issuer: string; subject: string };
      row: { memberId: string };
    };
    "memberEmails.holds": { args: { email: string; organisationId: string }; row: { memberId: string } };
    "memberEmails.lockAddress": {
      args: { memberId: string };
      row: {
        memberId: string;
        email: string;
        name: string;
        company: string;
        passwordHash: string | null;
        proven: boolean;
      };
    };
    "memberEmails.prove": { args: { memberId: string; organisationId: string }; row: { first: boolean } };
    "memberEmails.remove": { args: { memberId: string }; row: {} };
    "memberEmails.removeIdentities": { args: { memberId: string }; row: {} };
    "members.assignWorkspaces": {
      args: { memberId: string; organisationId: string; workspaceIds: readonly (string | null)[] };
      row: { workspace_id: string };
    };
    "members.cancelRelease": { args: { id: string }; row: {} };
    "members.forgetPreferences": { args: { memberId: string }; row: {} };
    "members.listSides": { args: {}; row: { id: string } };
    "members.lock": { args: { id: string }; row: { status?: string; hasOpenInvitation: boolean } };
    "members.lockOwners": { args: {}; row: { id: string; status?: string } };
    "members.queueRelease": { args: { id: string }; row: {} };
    "members.unassignWorkspaces": { args: { memberId: string }; row: {} };
    "preferences.put": { args: { memberId: string; value: string }; row: {} };
    "preferences.putSignature": { args: { body: string; memberId: string }; row: {} };
    "secondFactors.countCode": {
      args: { confirmed: boolean; memberId: string };
      row: { id: string; sealed: Buffer | null; tries: number; wait?: number };
    };
    "secondFactors.lockMember": { args: { memberId: string }; row: { email: string; name: string; required: boolean } };
    "secondFactors.methods": {
      args: { memberId: string };
      row: { types: string[]; passkeys: Json; recoveryCodes: boolean };
    };
    "secondFactors.takeChallenge": { args: { id: string; memberId: string }; row: { challenge: string } };
    "secondFactors.tryPending": {
      args: { id: string; tokenHash: string };
      row: { memberId: string; email: string; environment: string; tenantId: string; challenge: string | null };
    };
    "secondFactors.useCode": { args: { id: string; step: number }; row: { id: string } };
    "secondFactors.usePasskey": {
      args: { after: number | string; before: number | string; id: string };
      row: { id: string };
    };
    "secondFactors.useRecoveryCode": { args: { hash: string; memberId: string }; row: { left?: number } };
    "securityLog.record": {
      args: {
        actorId: string;
        actorKind: string;
        address: string;
        detail: string;
        memberId: string;
        type: string;
        userAgent: string;
      };
      row: { security_note?: string };
    };
    "sessions.endStolen": { args: { id: string; number: number }; row: { memberId: string } };
    "sessions.findMemberByIdentity": {
      args: { environment: string; issuer: string; subject: string };
      row: { organisationId: string; memberId: string; tenantId: string };
    };
    "sessions.findMembersByEmail": {
      args: { email: string; environment: string };
      row: { organisationId: string; memberId: string; tenantId: string; proven: boolean };
    };
    "sessions.getOwnPassword": { args: { memberId: string }; row: { email: string; passwordHash: string | null } };
    "sessions.holdsIdentity": {
      args: { issuer: string; organisationId: string; subject: string };
      row: { memberId: string };
    };
    "sessions.knowsDevice": { args: { device: string; memberId: string; network: string }; row: {} };
    "sessions.noteSeen": { args: { memberIds: readonly (string | null)[]; tenantId: string }; row: {} };
    "sessions.noteUsed": { args: { tenantId: string; used: string }; row: {} };
    "sessions.renewSignIn": { args: { memberId: string; sessionId: string }; row: { id: string } };
    "sessions.rotateRefreshToken": {
      args: {
        address: string;
        device: string;
        environment: string;
        id: string;
        number: number;
        ofAdmins: number;
        ofOthers: number;
      };
      row: { memberId: string; environment: string; tenantId: string; number: number };
    };
    "signInLimits.count": { args: { address: string; pair: string }; row: { pair?: Json; address?: Json } };
    "signInLimits.countFailure": { args: { account: string }; row: { attempts: number } };
    "signInLimits.forget": { args: { address: string; pair: string }; row: {} };
    "signInLimits.uncountAddress": { args: { address: string }; row: {} };
    "signInLimits.uncountAttempt": { args: { address: string; pair: string }; row: {} };
  }
}
