import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { MessageSquare } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Part } from "../../ui/detail-page.js";
import { Paged } from "../../ui/paged.js";
import { headlineOf } from "../../ui/headline.js";
import { Ago } from "../../ui/time.js";
import { CHANNEL_ICONS } from "../../ui/channel-icons.js";
import { conversationsOfQuery } from "./queries.js";

/** What a contact wrote about so far, newest first. */
export function ConversationsOf({ contactId }: { contactId: string }): ReactNode {
  const { t } = useTranslation();
  const conversations = useInfiniteQuery(conversationsOfQuery(contactId));
  return (
    <Part title={t("contacts.conversations")}>
      <div>
        <Paged
          query={conversations}
          label={t("contacts.conversations")}
          keyOf={({ id }) => id}
          empty={<p className="text-muted">{t("contacts.noConversations")}</p>}
          row={(conversation) => {
            const { id, channelType, status, lastActivityAt } = conversation;
            const Channel = CHANNEL_ICONS[channelType] ?? MessageSquare;
            return (
              <Link
                to="/inbox/$view/$conversationId"
                params={{ view: "all", conversationId: id }}
                className="flex items-center gap-3 px-3 py-2 -outline-offset-2 hover:bg-hover"
              >
                <span title={t(`channel.${channelType}`)} className="shrink-0 text-muted">
                  <Channel size={16} />
                </span>
                <span className="flex min-w-0 flex-1 flex-col">
                  <span dir="auto" className="truncate">
                    {headlineOf(conversation) || t("thread.title")}
                  </span>
                  <span className="flex justify-between gap-2 text-sm text-muted">
                    <span className="truncate">{t(`status.${status}`)}</span>
                    <Ago at={lastActivityAt} className="shrink-0 tabular-nums" />
                  </span>
                </span>
              </Link>
            );
          }}
        />
      </div>
    </Part>
  );
}
