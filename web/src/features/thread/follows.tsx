import { useQuery } from "@tanstack/react-query";
import { CornerUpLeft } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Conversation } from "../../api/parley.js";
import { otherConversationsQuery } from "../../api/queries.js";
import { headlineOf } from "../../ui/headline.js";
import { PageLink } from "../../ui/page-link.js";

/** The conversation that this one goes on with: the contact wrote too late to reopen it. */
export default function Follows({ conversation }: { conversation: Conversation }): ReactNode {
  const { t } = useTranslation();
  const { previousConversationId: id } = conversation;
  const { data: others } = useQuery(otherConversationsQuery(conversation));
  const before = others?.find((one) => one.id === id);
  return (
    <PageLink
      to={`/inbox/all/${id}`}
      className="flex items-center gap-1.5 border-b border-line px-3 py-1.5 text-xs text-muted hover:text-text"
    >
      <CornerUpLeft size={12} aria-hidden="true" className="shrink-0 rtl:-scale-x-100" />
      <span dir="auto" className="min-w-0 truncate">
        {before ? t("messageTools.follows", { headline: headlineOf(before) }) : t("messageTools.followsEarlier")}
      </span>
    </PageLink>
  );
}
