// Written by `npm run rows`: what PostgreSQL says of this folder's statements.
import type { Json } from "../platform/database/row-types.js";

declare module "../platform/database/row-types.js" {
  interface Statements {
    "attachmentMove.hold": { args: { id: string }; row: { size: number; patience?: string } };
    "attachmentMove.sides": { args: {}; row: { id: string; environment: string } };
    "attachmentQuota.get": { args: { quota: number | string }; row: { quota?: number } };
    "attachmentQuota.giveBack": { args: { size: number | string }; row: {} };
    "attachmentQuota.lock": { args: {}; row: {} };
    "attachmentQuota.recount": { args: {}; row: {} };
    "attachmentQuota.set": { args: { quota: number | string }; row: { used: number } };
    "attachmentQuota.take": { args: { quota: number | string; size: number | string }; row: { "?column?": number } };
    "attachments.claim": {
      args: { conversationId: string; ids: readonly (string | null)[]; messageId: string; self: string };
      row: { "?column?": number };
    };
    "attachments.find-known": { args: { ids: readonly (string | null)[] }; row: { id: string } };
    "attachments.remove-unattached": { args: { batch: number | string; keptFor: string }; row: { "?column?": number } };
    "attachments.removed": {
      args: { ids: readonly (string | null)[]; tenantIds: readonly (string | null)[] };
      row: {};
    };
    "attachments.some": { args: {}; row: { id: string } };
    "attachments.someSides": { args: { most: number | string }; row: { id: string; environment: string } };
    "attachments.waiting-for-removal": {
      args: { batch: number | string; failed: readonly (string | null)[]; tenantId: string };
      row: { tenantId: string; id: string };
    };
    "attentionItems.erase": { args: { conversationIds: readonly (string | null)[] }; row: { items: number } };
    "attentionItems.raise": {
      args: { conversationId: string; id: string; reason: string; severity: string; type: string };
      row: { id: string };
    };
    "attentionItems.raiseAbout assistantTestId": {
      args: { id: string; reason: string; severity: string; subjectId: string; type: string };
      row: { id: string };
    };
    "attentionItems.raiseAbout calendarConnectionId": {
      args: { id: string; reason: string; severity: string; subjectId: string; type: string };
      row: { id: string };
    };
    "attentionItems.raiseAbout channelId": {
      args: { id: string; reason: string; severity: string; subjectId: string; type: string };
      row: { id: string };
    };
    "attentionItems.raiseAbout circuitBreakerId": {
      args: { id: string; reason: string; severity: string; subjectId: string; type: string };
      row: { id: string };
    };
    "attentionItems.resolve": { args: { by: string; id: string }; row: { workspaceId: string } };
    "bulk-actions.lag": { args: {}; row: { seconds?: number } };
    "bulkActions.add": {
      args: {
        action: string;
        assigneeId: string;
        authorId: string;
        authorKind: string;
        channelType: string;
        contactId: string;
        externalId: string;
        handlingMode: string;
        id: string;
        ids: readonly (string | null)[];
        label: string;
        most: number;
        status: readonly (string | null)[];
        unread: boolean;
        updatedSince: Date | string;
        waiting: boolean;
        workspaceId: string;
      };
      row: { total: number };
    };
    "bulkActions.claim": {
      args: {
        free: number;
        held: readonly (number | null)[];
        leaseSeconds: number;
        limit: number;
        tenants: readonly (string | null)[];
      };
      row: { tenantId: string; id: string; environment: string };
    };
    "bulkActions.next": {
      args: { id: string; limit: number };
      row: { author?: Json; action: Json; conversationIds: string[] };
    };
    "bulkActions.return": { args: { id: string }; row: {} };
    "cancelReply.cancel": { args: { id: string }; row: { id: string } };
    "cancelReply.detach": { args: { id: string }; row: {} };
    "cancelReply.lock": { args: { id: string }; row: { workspaceId: string; deliveryStatus: string; erased: boolean } };
    "cannedReplies.count": { args: {}; row: { count: number } };
    "cannedReplies.find": { args: { id: string }; row: { createdBy: string; workspaceId: string | null } };
    "cannedReplies.update": {
      args: { body: string; id: string; language: string; setsLanguage: boolean; shortcut: string; title: string };
      row: {};
    };
    "cases.findAssignee": { args: { assigneeId: string; workspaceId: string }; row: { works?: boolean } };
    "cases.lock": {
      args: { id: string };
      row: {
        workspaceId: string;
        title: string;
        status: string;
        priority: string;
        contactId: string | null;
        assigneeId: string | null;
        fields: Json;
        dueAt?: string;
        archived?: boolean;
        definitions: Json;
      };
    };
    "cases.lockConversations": {
      args: { linked: readonly (string | null)[]; workspaceId: string };
      row: { erased: boolean };
    };
    "cases.moveToContact": {
      args: { actorId: string; from: string; kind: string; to: string };
      row: { "?column?": number };
    };
    "cases.nextNumber": { args: { workspaceId: string }; row: { number: number } };
    "cases.record": { args: { actorId: string; events: string; id: string; kind: string }; row: {} };
    "cases.redact": {
      args: { contactIds: readonly (string | null)[]; conversationIds: readonly (string | null)[] };
      row: { cases: number };
    };
    "cases.release": { args: { batch: number | string; memberId: string }; row: { "?column?": number } };
    "consumption.mergeSlots": { args: {}; row: {} };
    "conversations.agentAssignment": {
      args: { agentId: string; workspaceId: string };
      row: { assigned: boolean; stopped: boolean };
    };
    "conversations.assign": {
      args: { id: string; memberId: string; self: string };
      row: { workspaceId: string; erased: boolean; changes: boolean; able?: boolean };
    };
    "conversations.changeLabels": {
      args: { add: readonly (string | null)[]; id: string; remove: readonly (string | null)[] };
      row: { workspaceId: string; erased: boolean; changes?: boolean; few?: boolean };
    };
    "conversations.continue": { args: { id: string; last: string }; row: {} };
    "conversations.endSnooze": { args: { conversationId: string; until: Date | string }; row: { workspaceId: string } };
    "conversations.findAssigneeByEmail": {
      args: { conversationId: string; email: string };
      row: { memberId: string | null };
    };
    "conversations.findChannel": {
      args: { channelId: string; workspaceId: string };
      row: { id: string; delivers: boolean };
    };
    "conversations.findColleague": { args: { memberId: string }; row: { "?column?": number } };
    "conversations.findOfContacts": { args: { contactIds: readonly (string | null)[] }; row: { id: string } };
    "conversations.lastInChain": { args: { conversationId: string }; row: { id: string; closed?: boolean } };
    "conversations.lockAnsweringAgent": {
      args: { agentId: string; conversationId: string };
      row: {
        agentPaused?: boolean;
        agentKind: string;
        assistantOff?: boolean;
        handledByPeople?: boolean;
        workspaceId: string;
      };
    };
    "conversations.lockByExternalId": { args: { externalId: string; workspaceId: string }; row: { id: string } };
    "conversations.lockOfContacts": { args: { contactIds: readonly (string | null)[] }; row: { "?column?": number } };
    "conversations.markRead": {
      args: { id: string };
      row: { workspaceId: string; erased: boolean; changes?: boolean };
    };
    "conversations.markUnread": {
      args: { id: string };
      row: { workspaceId: string; erased: boolean; changes?: boolean };
    };
    "conversations.moveToContact": { args: { from: string; to: string }; row: { "?column?": number } };
    "conversations.redact": {
      args: { contactIds: readonly (string | null)[] };
      row: { conversations?: number; messages?: number };
    };
    "conversations.release": { args: { id: string }; row: { workspaceId: string; erased: boolean; changes?: boolean } };
    "conversations.reopen": { args: { id: string }; row: { workspaceId: string; erased: boolean; changes?: boolean } };
    "conversations.resolve": {
      args: { by: string; id: string; resolution: string };
      row: { workspaceId: string; erased: boolean; changes?: boolean };
    };
    "conversations.snooze": {
      args: { id: string; until: Date | string };
      row: { workspaceId: string; erased: boolean; changes?: boolean; inFuture?: boolean; unresolved?: boolean };
    };
    "conversations.takeOver": {
      args: { force: boolean; id: string; memberId: string; self: string };
      row: { workspaceId: string; erased: boolean; changes?: boolean; able?: boolean; free?: boolean };
    };
    "conversations.unassign": { args: { id: string }; row: { workspaceId: string; erased: boolean; changes: boolean } };
    "conversations.update": {
      args: {
        id: string;
        labels: readonly (string | null)[];
        language: string;
        metadata: string;
        priority: string;
        subject: string;
        summary: string;
      };
      row: { workspaceId: string; erased: boolean; changes?: boolean };
    };
    "conversations.wait": {
      args: { id: string };
      row: { workspaceId: string; erased: boolean; changes?: boolean; unresolved?: boolean };
    };
    "desk.lockSide": { args: {}; row: {} };
    "drafts.check": {
      args: { attachmentIds: readonly (string | null)[]; conversationId: string; memberId: string };
      row: { erased: boolean; files?: number };
    };
    "drafts.forgetOfConversations": { args: { conversationIds: readonly (string | null)[] }; row: { id: string } };
    "drafts.forgetOfMember": { args: { memberId: string }; row: { id: string } };
    "drafts.replace": {
      args: {
        attachmentIds: readonly (string | null)[];
        basedOnSequence: number;
        body: string;
        conversationId: string;
        ifUpdatedAt: Date | string;
        isNote: boolean;
        memberId: string;
      };
      row: { "?column?": number };
    };
    "drafts.save": {
      args: {
        attachmentIds: readonly (string | null)[];
        basedOnSequence: number;
        body: string;
        conversationId: string;
        isNote: boolean;
        memberId: string;
        onlyFirst: boolean;
      };
      row: { "?column?": number };
    };
    "messages.append": {
      args: {
        authentication: string;
        authorId: string;
        authorType: string;
        body: string;
        bodyFormat: string;
        broughtBy: string;
        choices: readonly (string | null)[];
        clientMessageId: string;
        conversationId: string;
        direction: string;
        externalId: string;
        holdSeconds: number;
        id: string;
        ifLastSequence: number;
        mentions: readonly (string | null)[];
        occurredAt: Date | string;
        participantId: string;
        recipients: string;
        senderProof: string;
        takeOver: boolean;
      };
      row: {
        messageId?: string;
        created: boolean;
        sequence?: number;
        channelId: string;
        archived?: boolean;
        delivers: boolean;
        erased: boolean;
        closed?: boolean;
        newer?: number;
        workspaceId: string;
      };
    };
    "messages.append then pending": {
      args: {
        authentication: string;
        authorId: string;
        authorType: string;
        body: string;
        bodyFormat: string;
        broughtBy: string;
        choices: readonly (string | null)[];
        clientMessageId: string;
        conversationId: string;
        externalId: string;
        holdSeconds: number;
        id: string;
        ifLastSequence: number;
        mentions: readonly (string | null)[];
        occurredAt: Date | string;
        participantId: string;
        recipients: string;
        senderProof: string;
        takeOver: boolean;
      };
      row: {
        messageId?: string;
        created: boolean;
        sequence?: number;
        channelId: string;
        archived?: boolean;
        delivers: boolean;
        erased: boolean;
        closed?: boolean;
        newer?: number;
        workspaceId: string;
      };
    };
    "messages.append then resolve": {
      args: {
        authentication: string;
        authorId: string;
        authorType: string;
        body: string;
        bodyFormat: string;
        broughtBy: string;
        by: string;
        choices: readonly (string | null)[];
        clientMessageId: string;
        conversationId: string;
        externalId: string;
        holdSeconds: number;
        id: string;
        ifLastSequence: number;
        mentions: readonly (string | null)[];
        occurredAt: Date | string;
        participantId: string;
        recipients: string;
        senderProof: string;
        takeOver: boolean;
      };
      row: {
        messageId?: string;
        created: boolean;
        sequence?: number;
        channelId: string;
        archived?: boolean;
        delivers: boolean;
        erased: boolean;
        closed?: boolean;
        newer?: number;
        workspaceId: string;
      };
    };
    "messages.append then snooze": {
      args: {
        authentication: string;
        authorId: string;
        authorType: string;
        body: string;
        bodyFormat: string;
        broughtBy: string;
        choices: readonly (string | null)[];
        clientMessageId: string;
        conversationId: string;
        externalId: string;
        holdSeconds: number;
        id: string;
        ifLastSequence: number;
        mentions: readonly (string | null)[];
        occurredAt: Date | string;
        participantId: string;
        recipients: string;
        senderProof: string;
        snoozeUntil: Date | string;
        takeOver: boolean;
      };
      row: {
        messageId?: string;
        created: boolean;
        sequence?: number;
        channelId: string;
        archived?: boolean;
        delivers: boolean;
        erased: boolean;
        closed?: boolean;
        newer?: number;
        workspaceId: string;
      };
    };
    "messages.appendAnswer": {
      args: {
        authentication: string;
        authorId: string;
        authorType: string;
        body: string;
        bodyFormat: string;
        broughtBy: string;
        choices: readonly (string | null)[];
        clientMessageId: string;
        conversationId: string;
        externalId: string;
        holdSeconds: number;
        id: string;
        ifLastSequence: number;
        mentions: readonly (string | null)[];
        occurredAt: Date | string;
        participantId: string;
        recipients: string;
        senderProof: string;
        takeOver: boolean;
      };
      row: {
        messageId?: string;
        created: boolean;
        sequence?: number;
        channelId: string;
        archived?: boolean;
        delivers: boolean;
        erased: boolean;
        closed?: boolean;
        newer?: number;
        workspaceId: string;
      };
    };
    "messages.appendQuestion": {
      args: {
        authentication: string;
        authorId: string;
        authorType: string;
        body: string;
        bodyFormat: string;
        broughtBy: string;
        choices: readonly (string | null)[];
        clientMessageId: string;
        conversationId: string;
        externalId: string;
        holdSeconds: number;
        id: string;
        ifLastSequence: number;
        mentions: readonly (string | null)[];
        occurredAt: Date | string;
        participantId: string;
        recipients: string;
        senderProof: string;
        takeOver: boolean;
      };
      row: {
        messageId?: string;
        created: boolean;
        sequence?: number;
        channelId: string;
        archived?: boolean;
        delivers: boolean;
        erased: boolean;
        closed?: boolean;
        newer?: number;
        workspaceId: string;
      };
    };
    "messages.cite": {
      args: {
        citations: string;
        confidence: number;
        ids: readonly (string | null)[];
        messageId: string;
        workspaceId: string;
      };
      row: { id: string };
    };
    "messages.countReaders": {
      args: { conversationId: string; ids: readonly (string | null)[] };
      row: { count: number };
    };
    "messages.findForwarded": {
      args: { id: string };
      row: {
        conversationId: string;
        direction: string;
        body: string;
        format: string;
        redacted: boolean;
        at?: string;
        subject: string;
        from?: string;
        mailed?: boolean;
      };
    };
    "messages.findInChain": { args: { conversationId: string; externalId: string }; row: { id: string } };
    "messages.forgetSentDraft": {
      args: { conversationId: string; memberId: string; updatedAt: Date | string };
      row: {};
    };
    "messages.setDeliveryStatus": {
      args: { from: readonly (string | null)[]; messageId: string; status: string };
      row: { workspaceId: string };
    };
    "participants.copy": { args: { from: string; to: string }; row: {} };
    "participants.deleteFiles": { args: { ids: readonly (string | null)[] }; row: { id: string } };
    "participants.erase": {
      args: {
        addresses: readonly (string | null)[];
        contactIds: readonly (string | null)[];
        conversationIds: readonly (string | null)[];
      };
      row: { messages?: number; attachmentIds: string[] };
    };
    "participants.findAddressed": {
      args: { asked: readonly (string | null)[]; conversationId: string };
      row: { mailed?: boolean; participants: string[]; ours: string[] };
    };
    "participants.findWriter": { args: { address: string; conversationId: string }; row: { id?: string } };
    "participants.forgetNamed": { args: { messageId: string; self: string }; row: {} };
    "participants.holdConversation": {
      args: { conversationId: string };
      row: { workspaceId: string; mailed?: boolean; archived?: boolean; erased: boolean; listed?: number };
    };
    "participants.keep": {
      args: { by: string; conversationId: string; isOurs: boolean; max: number; people: string };
      row: {};
    };
    "participants.merge": { args: { from: string; to: string }; row: { "?column?": number } };
    "snooze.claim": {
      args: {
        free: number;
        held: readonly (number | null)[];
        leaseSeconds: number;
        limit: number;
        tenants: readonly (string | null)[];
      };
      row: { tenantId: string; id: string; environment: string; until: string };
    };
    "snooze.lag": { args: {}; row: { seconds?: number } };
    "viewers.forget": { args: { conversationIds: readonly (string | null)[] }; row: {} };
    "viewers.hold": {
      args: { conversationId: string; memberId: string; state: string };
      row: { workspaceId: string; until?: string };
    };
    "viewers.leave": {
      args: { conversationId: string; memberId: string };
      row: { workspaceId: string; left: boolean };
    };
    "views.count": { args: { memberId: string }; row: { shared: number; own: number } };
    "views.find": { args: { id: string; memberId: string }; row: { shared: boolean } };
    "views.forgetOfRemoved": { args: { memberId: string }; row: {} };
  }
}
