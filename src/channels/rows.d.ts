// Written by `npm run rows`: what PostgreSQL says of this folder's statements.
import type { Json } from "../platform/database/row-types.js";

declare module "../platform/database/row-types.js" {
  interface Statements {
    "channels.find": {
      args: { id: string };
      row: {
        id: string;
        workspaceId: string;
        type: string;
        name: string;
        address: string | null;
        settings: Json;
        credentials: Buffer | null;
        signIn: Json | null;
        status: string;
        revision: number;
      };
    };
    "channels.findForShare": {
      args: { id: string };
      row: {
        id: string;
        workspaceId: string;
        type: string;
        name: string;
        address: string | null;
        settings: Json;
        credentials: Buffer | null;
        signIn: Json | null;
        status: string;
        revision: number;
      };
    };
    "channels.findTenant": { args: { channelId: string }; row: { tenantId: string; environment: string } };
    "channels.listEnabled": {
      args: { type: string };
      row: {
        id: string;
        name: string;
        address: string | null;
        settings: Json;
        credentials: Buffer | null;
        isInReach: boolean;
      };
    };
    "channels.lockMailboxes": { args: {}; row: { pg_advisory_xact_lock?: string } };
    "channels.noteFailure": {
      args: { channelId: string; lasting: boolean; message: string; minutes: number };
      row: { workspaceId: string; isError?: boolean };
    };
    "channels.scheduleCheck": { args: { channelId: string; seconds: number }; row: {} };
    "channels.storeTest": {
      args: { id: string; mailDomain: string; message: string; ok: boolean; revision: number };
      row: { lastTest?: Json };
    };
    "contactForm.recipient": { args: { conversationId: string }; row: { subject: string; to?: string } };
    "email.findOutgoingMail": {
      args: { conversationId: string; id: string; maxReferences: number | string; position: number };
      row: { earlier?: Json; files?: Json; recipients: Json | null };
    };
    "email.recipient": { args: { conversationId: string }; row: { subject: string; to?: string } };
    "forms.closeAsSpam": { args: { id: string }; row: { workspaceId: string; erased: boolean; changes: boolean } };
    "forms.markSuspected": { args: { id: string }; row: { workspaceId: string; erased: boolean; changes: boolean } };
    "incoming.findNewestConversation": {
      args: { channelId: string; contactId: string; workspaceId: string };
      row: { id: string };
    };
    "incoming.findReceived": {
      args: {
        channelIds: readonly (string | null)[];
        fingerprints: readonly (Buffer | null)[];
        most: number;
        named: boolean;
      };
      row: { conversationId: string; messageId: string };
    };
    "incoming.lock": {
      args: { channelId: string; externalId: string; sender: string };
      row: { sender?: string; message?: string };
    };
    "incoming.recordNamed": {
      args: {
        conversationId: string;
        fingerprints: readonly (Buffer | null)[];
        messageId: string;
        received: readonly (Buffer | null)[];
      };
      row: { id: string };
    };
    "incoming.recordReceived": {
      args: { channelId: string; fingerprint: Buffer; messageId: string };
      row: { conversationId: string; messageId: string };
    };
    "incomingMail.findAnswered": {
      args: { channelId: string; messageId: string; workspaceId: string };
      row: { conversationId: string; recipients: Json; memberId?: string };
    };
    "incomingMail.findAnsweredByPrograms": {
      args: { address: string; channelId: string; maxPerHour: number; newest: number | string; workspaceId: string };
      row: { "?column?": number };
    };
    "incomingMail.findBlocked": { args: { conversationId: string }; row: { "?column?": number } };
    "incomingMail.findBlockedAddress": { args: { address: string }; row: { "?column?": number } };
    "incomingMail.findFlooded": {
      args: { address: string; channelId: string; maxPerHour: number | string; proven: boolean };
      row: { conversationId: string };
    };
    "incomingMail.findFloodedByForgers": {
      args: { channelId: string; maxPerHour: number | string; workspaceId: string };
      row: { conversationId: string };
    };
    "incomingMail.findFloodedByParticipant": {
      args: { address: string; conversationId: string; maxPerHour: number; proven: boolean };
      row: { "?column?": number };
    };
    "incomingMail.findOurs": {
      args: { addresses: readonly (string | null)[] };
      row: { id: string; workspaceId: string; address: string };
    };
    "incomingMail.findReported": {
      args: { channelId: string; messageId: string; workspaceId: string };
      row: { conversationId: string; recipients: Json | null; contact: string[]; notes?: number };
    };
    "incomingMail.findSender": {
      args: { address: string; messageId: string; results: readonly (string | null)[] };
      row: { unsigned: boolean };
    };
    "incomingMail.findSentTo": { args: { address: string; conversationId: string }; row: { id: string } };
    "incomingMail.findThread": {
      args: { address: string; channelIds: readonly (string | null)[]; conversationId: string; workspaceId: string };
      row: { conversationId: string };
    };
    "incomingMail.lockMail": { args: { externalId: string }; row: { pg_advisory_xact_lock?: string } };
    "letters.frame": {
      args: { conversationId: string; memberId: string };
      row: {
        language: string;
        timeZone: string;
        brand: string;
        footer: string | null;
        logoUrl?: string;
        signature?: string;
        quote?: string;
        isAssistants?: boolean;
        values?: Json;
      };
    };
    "letters.quoted": {
      args: { before: number; conversationId: string; lastOnly: boolean; limit: number };
      row: { body: string; format: string; at?: string; name?: string };
    };
    "mailTokens.claimRenewal": {
      args: { id: string; revision: number; seconds: number };
      row: { tokens: Buffer | null; until: string | null };
    };
    "mailTokens.claimSignIn": { args: { begunAt: Date | string; id: string }; row: { "?column?": number } };
    "mailTokens.end": {
      args: { error: string; id: string; revision: number; until: Date | string };
      row: { workspaceId: string };
    };
    "mailTokens.find": { args: { id: string; revision: number }; row: { tokens: Buffer | null; isRenewed: boolean } };
    "mailTokens.store": { args: { id: string; tokens: Buffer; until: Date | string }; row: { "?column?": number } };
    "mailWebhooks.arrived": { args: { channelId: string }; row: { wasUnusable: boolean } };
    "mailWebhooks.begin": { args: { channelId: string; content: string }; row: { attempt: number } };
    "mailWebhooks.claimToken": {
      args: { channelId: string; content: string; token: string };
      row: { isMine?: boolean };
    };
    "mailWebhooks.noteUnusable": { args: { channelId: string; error: string }; row: { "?column?": number } };
    "mailbox.advance": {
      args: { at: Date | string; channelId: string; holder: string; uid: number | string; validity: string };
      row: { "?column?": number };
    };
    "mailbox.beginAttempt": {
      args: { channelId: string; holder: string; uid: number | string; validity: string };
      row: { attempt: number };
    };
    "mailbox.moveOn": {
      args: {
        before: string;
        channelId: string;
        holder: string;
        link: string;
        newestAt: Date | string;
        validity: string;
      };
      row: { "?column?": number };
    };
    "mailbox.noteBeginning": {
      args: {
        channelId: string;
        deltaLink: string;
        deltaRead: readonly (number | string | null)[];
        lastUid: number | string;
        validity: string;
      };
      row: {};
    };
    "mailbox.noteFailure": {
      args: { channelId: string; holder: string; lasting: boolean; minutes: number };
      row: { isError?: boolean };
    };
    "mailbox.start": {
      args: {
        before: string;
        channelId: string;
        deltaLink: string;
        deltaRead: readonly (number | string | null)[];
        holder: string;
        lastUid: number | string;
        validity: string;
      };
      row: { "?column?": number };
    };
    "mailboxes.claim": {
      args: {
        graceSeconds: number;
        holder: string;
        leaseSeconds: number;
        limit: number | string;
        reading: readonly (string | null)[];
      };
      row: { tenantId: string; channelId: string };
    };
    "mailboxes.release": { args: { channelId: string; holder: string; tenantId: string }; row: {} };
    "mailboxes.releaseAll": { args: { holder: string }; row: {} };
    "mailboxes.renew": { args: { holder: string; leaseSeconds: number }; row: { tenantId: string; channelId: string } };
    "mailboxes.take-from-busiest": { args: { holder: string; limit: number }; row: {} };
    "mailboxes.unattended": { args: { graceSeconds: number }; row: { mailboxes: number } };
    "provisioning.claimDue": {
      args: {
        free: number;
        held: readonly (number | null)[];
        leaseSeconds: number;
        limit: number;
        tenants: readonly (string | null)[];
      };
      row: { tenantId: string; id: string; environment: string; until: string };
    };
    "provisioning.lag": { args: {}; row: { seconds?: number } };
    "provisioning.lockLease": { args: { id: string; until: Date | string }; row: { "?column?": number } };
    "provisioning.noteFailedAttempt": {
      args: {
        id: string;
        lasting: boolean;
        maxAttempts: number;
        maxWaitSeconds: number;
        message: string;
        revision: number;
      };
      row: { name: string; isError?: boolean };
    };
    "provisioning.scheduleNextAttempt": { args: { id: string }; row: {} };
    "sms.findSentMessage": { args: { channelId: string; id: string }; row: { conversationId: string } };
    "sms.recipient": { args: { conversationId: string }; row: { to: string } };
    "sms.rememberNumber": { args: { conversationId: string; phone: string }; row: {} };
    "voice.findCaller": {
      args: { conversationId: string };
      row: { conversationId: string; contactId: string; senderProof: string | null };
    };
    "webchat.countPendingUploads": { args: { visitorId: string }; row: { count: number } };
    "webchat.deleteExpiredSessions": {
      args: { keptFor: string; limit: number | string; tokenSeconds: number };
      row: { "?column?": number };
    };
    "webchat.eraseSessions": { args: { contactIds: readonly (string | null)[] }; row: {} };
    "webchat.eraseThreads": { args: { conversationIds: readonly (string | null)[] }; row: {} };
    "webchat.findNewestOfThread": { args: { visitorId: string }; row: { id: string } };
    "webchat.rotate": {
      args: {
        graceSeconds: number;
        number: number;
        returnSeconds: number;
        sessionId: string;
        signedReturnSeconds: number;
        tokenSeconds: number;
      };
      row: { number: number; ended: boolean; signed: boolean; started: boolean; expires?: string };
    };
    "widgets.findPublic": { args: { key: string; kind: string }; row: { widget?: Json } };
    "widgets.lockFormChannel": { args: { workspaceId: string }; row: { pg_advisory_xact_lock?: string } };
  }
}
