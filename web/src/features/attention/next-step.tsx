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

/** The part of the workspace's settings where the cause is. */
function partOf(type: AttentionItem["type"], isManager: boolean): "tests" | "verification" | undefined {
  if (type === "assistant_test_failed") return "tests";
  return type === "verification_not_configured" && isManager ? "verification" : undefined;
}

/** Where the cause of an item can be removed, and the conversation that it is about. */
export function NextStep({ item }: { item: AttentionItem }): ReactNode {
  const { t } = useTranslation();
  const me = useMember();
  const { type, status, reason, workspaceId, conversationId, channelId, calendarConnectionId } = item;
  const isOpen = status === "open";
  const part = partOf(type, manages(me));
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
      {isOpen && part && (
        <Link to="/settings/workspaces/$workspaceId/$part" params={{ workspaceId, part }} className={LINK}>
          {t(part === "tests" ? "attention.next.test" : "attention.next.setUp")}
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
