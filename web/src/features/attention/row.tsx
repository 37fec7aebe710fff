import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { type AttentionItem, membersQuery, workspacesQuery } from "../../api/queries.js";
import { useMember } from "../../session/session.js";
import { withoutEmphasis } from "../../ui/plain.js";
import { Ago } from "../../ui/time.js";

/** Only what is urgent is loud. */
const LOOKS = {
  urgent: "bg-danger-soft text-danger",
  high: "bg-note text-note-text",
  medium: "bg-hover text-text",
  low: "bg-hover text-muted",
} as const;

/** One item: what happened, how bad it is, where, and since when. */
export function AttentionRow({ item, action }: { item: AttentionItem; action: ReactNode }): ReactNode {
  const { t } = useTranslation();
  const me = useMember();
  const { data: workspaces } = useQuery(workspacesQuery());
  const { data: members } = useQuery(membersQuery());
  const { conversationId, severity, type, reason, occurrences, createdAt, resolvedAt, resolvedBy, assigneeId } = item;
  const memberName = (id: string): string =>
    id === me.id ? t("common.you") : (members?.get(id)?.name ?? t("common.integration"));
  const facts = [
    workspaces && workspaces.length > 1 && workspaces.find(({ id }) => id === item.workspaceId)?.name,
    occurrences > 1 && t("attention.occurrences", { count: occurrences }),
    item.status === "open" &&
      assigneeId !== null &&
      (assigneeId === me.id
        ? t("attention.assignedToYou")
        : t("attention.assignee", { name: members?.get(assigneeId)?.name ?? t("common.somebody") })),
    resolvedAt !== null &&
      t("attention.resolvedBy", { name: resolvedBy === null ? t("common.system") : memberName(resolvedBy) }),
  ].filter(Boolean);
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-2 p-3">
      <div className="min-w-48 flex-1">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="font-medium">{t(`attention.type.${type}`)}</span>
          <span className={`rounded px-1.5 text-xs leading-5 font-medium ${LOOKS[severity]}`}>
            {t(`attention.severity.${severity}`)}
          </span>
        </p>
        <p dir="auto" className="wrap-anywhere">
          {withoutEmphasis(reason)}
        </p>
        <p className="flex flex-wrap gap-x-3 text-sm text-muted">
          <Ago at={resolvedAt ?? createdAt} className="tabular-nums" />
          {facts.map((fact) => (
            <span key={fact as string} dir="auto">
              {fact}
            </span>
          ))}
        </p>
      </div>
      <div className="flex items-center gap-2">
        {conversationId !== null && (
          <Link
            to="/inbox/$view/$conversationId"
            params={{ view: "all", conversationId }}
            className="-ms-2 inline-flex h-7 items-center rounded-md px-2 text-sm font-medium whitespace-nowrap text-accent hover:bg-hover"
          >
            {t("attention.openConversation")}
          </Link>
        )}
        {action}
      </div>
    </div>
  );
}
