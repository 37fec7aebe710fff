import { useQuery } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { type AttentionItem, membersQuery, workspacesQuery } from "../../api/queries.js";
import { translated } from "../../i18n/i18n.js";
import { inWords } from "../../i18n/in-words.js";
import { useMember } from "../../session/session.js";
import { withoutEmphasis } from "../../ui/plain.js";
import { Ago } from "../../ui/time.js";
import { NextStep } from "./next-step.js";

/** Only what is urgent is loud. */
const LOOKS = {
  urgent: "bg-danger-soft text-danger",
  high: "bg-note text-note-text",
  medium: "bg-hover text-text",
  low: "bg-hover text-muted",
} as const;

/** Why, in the member's language as far as Parley says it. What a contact or a program said stays as it is. */
function reasonIn(reason: string, t: TFunction): string {
  const [, score, scale = ""] = /^The contact rated the conversation (\d+) of (\d+)$/.exec(reason) ?? [];
  if (score !== undefined) return t("attention.reason.rated", { score, scale });
  const [, tool, why = ""] = /^The assistant asks to use (\S+): (.*)$/s.exec(reason) ?? [];
  if (tool !== undefined) return t("attention.reason.asks", { tool: inWords(tool), why: translated(why) ?? why });
  const [, said, question = "", rest = ""] = /^([^:]+): “(.*)”([^”]*)$/s.exec(reason) ?? [];
  if (said !== undefined) return `${t("attention.reason.about", { said: translated(said) ?? said, question })}${rest}`;
  return translated(reason) ?? reason;
}

/** One item: what happened, how bad it is, where, and since when. */
export function AttentionRow({
  item,
  isGrouped = false,
  action,
}: {
  item: AttentionItem;
  /** Whether its kind stands above it. */
  isGrouped?: boolean;
  action: ReactNode;
}): ReactNode {
  const { t } = useTranslation();
  const me = useMember();
  const { data: workspaces } = useQuery(workspacesQuery());
  const { data: members } = useQuery(membersQuery());
  const { severity, type, reason, occurrences, createdAt, resolvedAt, resolvedBy, assigneeId } = item;
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
  const level = (
    <span className={`rounded px-1.5 text-xs leading-5 font-medium ${LOOKS[severity]}`}>
      {t(`attention.severity.${severity}`)}
    </span>
  );
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-2 p-3">
      <div className="min-w-48 flex-1">
        {!isGrouped && (
          <p className="flex flex-wrap items-center gap-x-2">
            <span className="font-medium">{t(`attention.type.${type}`)}</span>
            {level}
          </p>
        )}
        <p dir="auto" className="wrap-anywhere">
          {withoutEmphasis(reasonIn(reason, t))}
        </p>
        <p className="flex flex-wrap gap-x-3 text-sm text-muted">
          {isGrouped && level}
          <Ago at={resolvedAt ?? createdAt} className="tabular-nums" />
          {facts.map((fact) => (
            <span key={fact as string} dir="auto">
              {fact}
            </span>
          ))}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <NextStep item={item} />
        {action}
      </div>
    </div>
  );
}
