import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Shown } from "../../shown.js";
import { Page } from "../../ui/page.js";
import { focusRow, leaveRow, Paged } from "../../ui/paged.js";
import { Empty } from "../../ui/states.js";
import { Tabs } from "../attention/tabs.js";
import { ActionCard } from "./card.js";
import { actionsQuery } from "./queries.js";

/** What agents want to do and may only do once a person approves it, in all workspaces. */
export function Approvals(): ReactNode {
  const { t } = useTranslation();
  const search: Shown = useSearch({ strict: false });
  const isAll = search.status === "all";
  const actions = useInfiniteQuery(actionsQuery(isAll ? undefined : "pending"));
  return (
    <Page title={t("approvals.title")} explain={t("approvals.explain")} action={<Tabs at="approvals" />}>
      <nav aria-label={t("attention.stateLabel")} className="mb-4 flex gap-1">
        {([false, true] as const).map((all) => (
          <Link
            key={String(all)}
            to="/approvals"
            search={all ? { status: "all" } : {}}
            aria-current={all === isAll ? "page" : undefined}
            className={`flex h-7 items-center rounded-md px-2 text-sm font-medium ${all === isAll ? "bg-selected text-accent-strong" : "text-muted hover:bg-hover hover:text-text"}`}
          >
            {t(all ? "approvals.all" : "approvals.status.pending")}
          </Link>
        ))}
      </nav>
      <Paged
        query={actions}
        label={t("approvals.list")}
        keyOf={({ id }) => id}
        empty={
          isAll ? (
            <Empty text={t("approvals.emptyAll")}>
              <Link to="/policies" className="text-accent hover:underline">
                {t("approvals.toPolicies")}
              </Link>
            </Empty>
          ) : (
            <Empty text={t("approvals.empty")}>
              <Link to="/approvals" search={{ status: "all" }} className="text-accent hover:underline">
                {t("approvals.toAll")}
              </Link>
            </Empty>
          )
        }
        row={(action) => (
          <ActionCard
            action={action}
            isInList
            onDecided={(card) => {
              const row = card?.closest("[data-row]");
              if (isAll) focusRow(row);
              else leaveRow(row);
            }}
          />
        )}
      />
    </Page>
  );
}
