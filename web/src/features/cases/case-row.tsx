import type { CaseStatus } from "@parley/sdk/enums";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { membersQuery } from "../../api/queries.js";
import { Badge } from "../../ui/badge.js";
import { isPast, When } from "../../ui/dates.js";
import { Ago } from "../../ui/time.js";
import { excerptOf, hasWords } from "../../ui/excerpt.js";
import { Marked } from "../../ui/marked.js";
import { type Case, caseTypesQuery } from "./queries.js";

const LOOKS = { submitted: "plain", in_progress: "plain", waiting_on_customer: "warn", resolved: "ok" } as const;

export function StatusBadge({ status }: { status: CaseStatus }): ReactNode {
  const { t } = useTranslation();
  return <Badge look={LOOKS[status]}>{t(`cases.status.${status}`)}</Badge>;
}

/** One case: its number and title, how far it is, how urgent, who works on it, and until when. What was searched for is marked. */
export function CaseRow({ one, q = "" }: { one: Case; q?: string }): ReactNode {
  const { t } = useTranslation();
  const { data: members } = useQuery(membersQuery());
  const { id, number, title, status, priority, assigneeId, dueAt, updatedAt } = one;
  return (
    <Link
      to="/cases/$caseId"
      params={{ caseId: id }}
      className="flex items-center gap-3 px-3 py-2.5 -outline-offset-2 hover:bg-hover"
    >
      <span className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className="flex min-w-0 items-baseline gap-2">
          <span className="shrink-0 text-muted tabular-nums">
            <Marked parts={q ? excerptOf(`#${number}`, q) : [{ text: `#${number}`, match: false }]} />
          </span>
          <span
            dir="auto"
            className={`min-w-0 flex-1 font-medium ${q ? "wrap-anywhere" : "line-clamp-2 md:line-clamp-1 wrap-anywhere"}`}
          >
            {q && title ? <Marked parts={excerptOf(title, q)} /> : title || t("cases.erased")}
          </span>
        </span>
        {q && <FoundFields one={one} q={q} />}
        <span className="flex flex-wrap items-center gap-x-3 gap-y-0.5 text-sm text-muted">
          <StatusBadge status={status} />
          {priority !== "none" && <span>{t(`priority.${priority}`)}</span>}
          <span>
            {assigneeId === null ? t("cases.nobody") : (members?.get(assigneeId)?.name ?? t("common.somebody"))}
          </span>
          {dueAt !== null && (
            <span className={status !== "resolved" && isPast(dueAt) ? "font-medium text-danger" : ""}>
              {t("cases.dueOn")} <When at={dueAt} />
            </span>
          )}
        </span>
      </span>
      <Ago at={updatedAt} className="shrink-0 self-start text-sm text-muted tabular-nums" />
    </Link>
  );
}

const FIELD_LENGTH = 140;

/** The texts of the fields that have the words. */
function FoundFields({ one, q }: { one: Case; q: string }): ReactNode {
  const { data: types } = useQuery(caseTypesQuery());
  const labels = types?.find(({ id }) => id === one.typeId)?.fields ?? [];
  return Object.entries(one.fields).flatMap(([key, value]) => {
    if ((typeof value !== "string" && typeof value !== "number") || !hasWords(String(value), q)) return [];
    return (
      <span key={key} className="text-sm text-muted">
        <span className="me-1.5 font-medium">{labels.find((one) => one.key === key)?.label ?? key}</span>
        <span dir="auto" className="text-text wrap-anywhere">
          <Marked parts={excerptOf(String(value), q, FIELD_LENGTH)} />
        </span>
      </span>
    );
  });
}
