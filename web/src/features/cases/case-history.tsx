import type { CaseStatus, Priority } from "@parley/sdk/enums";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Schemas } from "../../api/parley.js";
import { membersQuery } from "../../api/queries.js";
import { Part } from "../../ui/detail-page.js";
import { Paged } from "../../ui/paged.js";
import { When } from "../../ui/dates.js";
import { Ago } from "../../ui/time.js";
import { caseEventsQuery } from "./queries.js";

type Event = Schemas["CaseEvent"];

/** What happened to a case, oldest first. */
export function CaseHistory({ id, labels }: { id: string; labels: Map<string, string> }): ReactNode {
  const { t } = useTranslation();
  const events = useInfiniteQuery(caseEventsQuery(id));
  return (
    <Part title={t("cases.history")}>
      <div>
        <Paged
          query={events}
          label={t("cases.history")}
          keyOf={(event) => event.id}
          empty={null}
          row={(event) => (
            <div className="flex gap-3 px-3 py-2">
              <p className="min-w-0 flex-1 wrap-anywhere">
                {t(`cases.event.${event.type}`)}{" "}
                <span className="text-muted">
                  <Value event={event} labels={labels} />
                </span>
              </p>
              <p className="shrink-0 text-end text-sm text-muted">
                <Actor actor={event.actor} /> · <Ago at={event.occurredAt} className="tabular-nums" />
              </p>
            </div>
          )}
        />
      </div>
    </Part>
  );
}

/** The new value, as a person calls it. */
function Value({ event: { type, to }, labels }: { event: Event; labels: Map<string, string> }): ReactNode {
  const { t } = useTranslation();
  const { data: members } = useQuery(membersQuery());
  if (to === null) return null;
  if (Array.isArray(to)) return to.map((key) => labels.get(key) ?? key).join(", ");
  switch (type) {
    case "created":
    case "status":
      return t(`cases.status.${to as CaseStatus}`);
    case "priority":
      return t(`priority.${to as Priority}`);
    case "assignee":
      return members?.get(to)?.name ?? t("common.somebody");
    case "due":
      return <When at={to} />;
    case "title":
      return <bdi>{to}</bdi>;
    default:
      return null;
  }
}

function Actor({ actor: { kind, id } }: { actor: Event["actor"] }): ReactNode {
  const { t } = useTranslation();
  const { data: members } = useQuery(membersQuery());
  if (kind === "member") return (id !== null && members?.get(id)?.name) || t("common.somebody");
  return t(kind === "system" ? "common.system" : "common.integration");
}
