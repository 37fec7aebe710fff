import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { MessageSquare } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Schemas } from "../../api/parley.js";
import { contactQuery, displayNameOf } from "../../api/contacts.js";
import { Ago } from "../../ui/time.js";
import { CHANNEL_ICONS } from "../../ui/channel-icons.js";
import { Marked } from "../../ui/marked.js";
import { readable } from "./readable.js";

export type Found = Schemas["FoundConversation"];

const WHERE = { subject: "search.inSubject", contact: "search.inContact", message: "search.inMessage" } as const;

/** A conversation that was found: whose it is, and the places that have the words. */
export function FoundRow({ found: { conversation, snippets } }: { found: Found }): ReactNode {
  const { t } = useTranslation();
  const { data: contact } = useQuery(contactQuery(conversation.contactId));
  const { id, channelType, subject, status, lastActivityAt } = conversation;
  const Channel = CHANNEL_ICONS[channelType] ?? MessageSquare;
  return (
    <Link
      to="/inbox/$view/$conversationId"
      params={{ view: "all", conversationId: id }}
      className="flex gap-3 px-3 py-2.5 -outline-offset-2 hover:bg-hover"
    >
      <span title={t(`channel.${channelType}`)} className="mt-0.5 shrink-0 text-muted">
        <Channel size={16} />
      </span>
      <span className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className="flex items-baseline gap-2">
          <span dir="auto" className="min-w-0 flex-1 truncate font-medium">
            {displayNameOf(contact)}
          </span>
          <span className="flex shrink-0 gap-2 text-sm text-muted">
            {t(`status.${status}`)}
            <Ago at={lastActivityAt} className="tabular-nums" />
          </span>
        </span>
        {subject !== null && !snippets.some(({ field }) => field === "subject") && (
          <span dir="auto" className="truncate">
            {subject}
          </span>
        )}
        {snippets.map(({ field, messageId, parts }) => (
          <span key={messageId ?? field} className="text-sm text-muted">
            <span className="me-1.5 font-medium">{t(WHERE[field])}</span>
            <span dir="auto" className="text-text wrap-anywhere">
              <Marked parts={readable(parts)} />
            </span>
          </span>
        ))}
      </span>
    </Link>
  );
}
