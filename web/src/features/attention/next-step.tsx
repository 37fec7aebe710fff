import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { AttentionItem } from "../../api/queries.js";
import { manages, mayWrite } from "../../session/roles.js";
import { useMember } from "../../session/session.js";

const LINK =
  "inline-flex h-7 items-center rounded-md px-2 text-sm font-medium whitespace-nowrap text-accent hover:bg-hover";

/** What the contact asked, as the reason of an item quotes it. */
const questionIn = (reason: string): string => /“([^”]+)”/.exec(reason)?.[1] ?? "";

/** Where the cause of an item can be removed, and the conversation that it is about. */
export function NextStep({ item }: { item: AttentionItem }): ReactNode {
  const { t } = useTranslation();
  const me = useMember();
  const { type, status, reason, workspaceId, conversationId, channelId, calendarConnectionId } = item;
  const isOpen = status === "open";
  return (
    <>
      {isOpen && mayWrite(me) && (type === "kb_gap" || type === "low_confidence") && (
        <Link to="/knowledge" search={{ workspace: workspaceId, write: questionIn(reason) }} className={LINK}>
          {t("attention.next.write")}
        </Link>
      )}
      {isOpen && mayWrite(me) && type === "approval_required" && (
        <Link to="/approvals" className={LINK}>
          {t("attention.next.approve")}
        </Link>
      )}
      {isOpen && manages(me) && channelId !== null && (
        <Link to="/settings/channels/$channelId" params={{ channelId }} className={LINK}>
          {t("attention.next.channel")}
        </Link>
      )}
      {isOpen && manages(me) && type === "verification_not_configured" && (
        <Link
          to="/settings/workspaces/$workspaceId/$part"
          params={{ workspaceId, part: "verification" }}
          className={LINK}
        >
          {t("attention.next.setUp")}
        </Link>
      )}
      {isOpen && type === "assistant_test_failed" && (
        <Link to="/settings/workspaces/$workspaceId/$part" params={{ workspaceId, part: "tests" }} className={LINK}>
          {t("attention.next.test")}
        </Link>
      )}
      {isOpen && calendarConnectionId !== null && (
        <Link to="/calendar" className={LINK}>
          {t("attention.next.calendar")}
        </Link>
      )}
      {isOpen && type === "circuit_breaker_tripped" && (
        <Link to="/quality" className={LINK}>
          {t("attention.next.quality")}
        </Link>
      )}
      {conversationId !== null && (
        <Link to="/inbox/$view/$conversationId" params={{ view: "all", conversationId }} className={LINK}>
          {t("attention.openConversation")}
        </Link>
      )}
    </>
  );
}
