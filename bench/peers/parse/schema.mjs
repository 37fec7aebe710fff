// The class of conversations, as a user of Parse Server declares it.
const fields = (type, names) => Object.fromEntries(names.map((name) => [name, { type }]));

const OWN = ["tenantId", "brandId", "workspaceId"];

export const CONVERSATION_FIELDS = {
  ...fields("String", [
    ...OWN,
    "channelId",
    "channelType",
    "contactId",
    "accountId",
    "externalId",
    "subject",
    "status",
    "handlingMode",
    "assigneeId",
    "priority",
    "language",
    "summary",
    "lastMessagePreview",
    "resolvedBy",
    "resolution",
    "assuranceLevel",
    "previousConversationId",
  ]),
  ...fields("Number", ["messageCount", "unreadCount", "csatScore", "pendingActionCount", "openAttentionCount"]),
  ...fields("Date", ["lastActivityAt", "waitingSince", "firstReplyAt", "snoozedUntil", "resolvedAt"]),
  ...fields("Array", ["labels"]),
  ...fields("Object", ["metadata"]),
};

export const SCHEMA = {
  definitions: [
    {
      className: "Conversation",
      fields: CONVERSATION_FIELDS,
      indexes: Object.fromEntries(
        OWN.map((place) => [`recent_of_${place}`, { [place]: 1, lastActivityAt: 1, objectId: 1 }]),
      ),
      classLevelPermissions: { find: { requiresAuthentication: true }, get: { requiresAuthentication: true } },
    },
    { className: "_User", fields: fields("String", OWN), classLevelPermissions: {} },
  ],
};
