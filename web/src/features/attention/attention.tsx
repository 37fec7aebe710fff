import { AttentionStatus, AttentionType } from "@parley/sdk/enums";
import {
  type InfiniteData,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { type Page as PageOf, pagedQuery, readNextPage } from "../../api/paged.js";
import { parley, type Schemas } from "../../api/parley.js";
import type { AttentionItem } from "../../api/queries.js";
import { useKeys } from "../../keyboard/keys.js";
import { mayWrite } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import type { Shown } from "../../shown.js";
import { Button } from "../../ui/button.js";
import { Page } from "../../ui/page.js";
import { leaveRow, Paged, stepRow } from "../../ui/paged.js";
import { Empty } from "../../ui/states.js";
import { toast } from "../../ui/toasts.js";
import { AttentionRow } from "./row.js";
import { Tabs } from "./tabs.js";

type Type = Schemas["AttentionType"];
type Status = Schemas["AttentionStatus"];

const attentionQuery = (status: Status, type: Type | undefined) =>
  pagedQuery<AttentionItem>(["attention", status, type ?? "all"], (page, options) =>
    parley.attentionItems.list({ ...page, status, ...(type && { type }) }, options),
  );

/** What needs a person: open items first, each with what happened and a button once somebody has taken care of it. */
export function Attention(): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const me = useMember();
  const search: Shown = useSearch({ strict: false });
  const status: Status = search.status === "resolved" ? "resolved" : "open";
  const type = AttentionType.find((one) => one === search.type);
  const items = useInfiniteQuery(attentionQuery(status, type));

  const resolve = useMutation({
    mutationFn: (id: string) => parley.attentionItems.resolve(id),
    onMutate: async (id) => {
      await client.cancelQueries({ queryKey: ["attention"] });
      const before = client.getQueriesData({ queryKey: ["attention", "open"] });
      client.setQueriesData<InfiniteData<PageOf<AttentionItem>>>(
        { queryKey: ["attention", "open"] },
        (rows) =>
          rows && {
            ...rows,
            pages: rows.pages.map((page) => ({ ...page, data: page.data.filter((item) => item.id !== id) })),
          },
      );
      return before;
    },
    onError: (error, _, before) => {
      for (const [key, rows] of before ?? []) client.setQueryData(key, rows);
      toast(t("attention.notResolved", { reason: failureOf(error).sentence }), { failed: true });
    },
    onSettled: () => void client.invalidateQueries({ queryKey: ["attention"] }),
  });
  const resolveRow = (id: string): void => {
    leaveRow(document.querySelector(`[data-row="${id}"]`));
    resolve.mutate(id);
  };
  const may = mayWrite(me);
  useKeys({
    resolve:
      may && status === "open"
        ? () => {
            const id = document.activeElement?.closest<HTMLElement>("[data-row]")?.dataset.row;
            if (id !== undefined) resolveRow(id);
          }
        : undefined,
  });

  const done = (item: AttentionItem): ReactNode =>
    may &&
    item.status === "open" && (
      <Button
        small
        aria-label={t("attention.resolveItem", { type: t(`attention.type.${item.type}`) })}
        onClick={() => resolveRow(item.id)}
      >
        {t("attention.resolve")}
      </Button>
    );
  const empty =
    type !== undefined ? (
      <Empty text={t("list.filtered")}>
        <Link to="/attention" className="text-accent hover:underline">
          {t("list.clearFilters")}
        </Link>
      </Empty>
    ) : status === "open" ? (
      <Empty text={t("attention.emptyOpen")}>
        <Link to="/inbox" className="text-accent hover:underline">
          {t("attention.toInbox")}
        </Link>
      </Empty>
    ) : (
      <Empty text={t("attention.emptyResolved")}>
        <Link to="/attention" className="text-accent hover:underline">
          {t("attention.toOpen")}
        </Link>
      </Empty>
    );
  return (
    <Page title={t("shell.attention")} explain={t("attention.explain")} action={<Tabs at="attention" />}>
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <nav aria-label={t("attention.stateLabel")} className="flex flex-1 gap-1">
          {AttentionStatus.map((one) => (
            <Link
              key={one}
              to="/attention"
              search={{ status: one === "open" ? undefined : one, type }}
              aria-current={one === status ? "page" : undefined}
              className={`flex h-7 items-center rounded-md px-2 text-sm font-medium ${one === status ? "bg-selected text-accent-strong" : "text-muted hover:bg-hover hover:text-text"}`}
            >
              {t(`attention.state.${one}`)}
            </Link>
          ))}
        </nav>
        <label className="flex items-center gap-2 text-sm">
          <span className="text-muted">{t("attention.typeLabel")}</span>
          <select
            value={type ?? ""}
            onChange={({ target }) =>
              void navigate({
                to: "/attention",
                search: { status: search.status, type: target.value || undefined },
                replace: true,
              })
            }
            className="h-7 rounded-md border border-edge bg-surface px-1"
          >
            <option value="">{t("attention.allTypes")}</option>
            {AttentionType.map((one) => (
              <option key={one} value={one}>
                {t(`attention.type.${one}`)}
              </option>
            ))}
          </select>
        </label>
      </div>
      {status === "open" && type === undefined && items.data?.pages[0]?.data.length ? (
        <Grouped items={items} row={(item) => <AttentionRow isGrouped item={item} action={done(item)} />} />
      ) : (
        <Paged
          query={items}
          label={t("attention.items")}
          keyOf={({ id }) => id}
          empty={empty}
          row={(item) => <AttentionRow item={item} action={done(item)} />}
        />
      )}
    </Page>
  );
}

/** As it is handled: what a contact waits for first. */
const RANKS: Record<Type, number> = {
  handoff_requested: 0,
  approval_required: 1,
  identity_locked: 2,
  guardrail_block: 3,
  low_confidence: 4,
  csat_low: 5,
  channel_error: 6,
  circuit_breaker_tripped: 7,
  verification_not_configured: 8,
  kb_gap: 9,
  assistant_test_failed: 10,
};
const ORDER = [...AttentionType].sort((one, other) => RANKS[one] - RANKS[other]);

/** The items that were read so far, each kind under its name, newest first. */
function Grouped({
  items,
  row,
}: {
  items: UseInfiniteQueryResult<InfiniteData<PageOf<AttentionItem>>>;
  row: (item: AttentionItem) => ReactNode;
}): ReactNode {
  const { t } = useTranslation();
  useKeys({ next: () => stepRow(1), previous: () => stepRow(-1) });
  const all = items.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <div className="flex flex-col gap-6">
      {ORDER.map((type) => {
        const ofType = all.filter((item) => item.type === type);
        const name = t(`attention.type.${type}`);
        return (
          ofType.length > 0 && (
            <section key={type} aria-labelledby={`attention-${type}`}>
              <h2 id={`attention-${type}`} className="mb-2 flex items-baseline gap-2 font-semibold">
                {name}
                <span className="text-sm font-normal text-muted tabular-nums">
                  {ofType.length}
                  {items.hasNextPage && "+"}
                </span>
              </h2>
              <ul
                aria-label={name}
                className="flex flex-col divide-y divide-line overflow-hidden rounded-lg border border-line"
              >
                {ofType.map((item) => (
                  <li key={item.id} data-row={item.id}>
                    {row(item)}
                  </li>
                ))}
              </ul>
            </section>
          )
        );
      })}
      {items.hasNextPage && (
        <Button className="self-center" disabled={items.isFetchingNextPage} onClick={() => void readNextPage(items)}>
          {t("list.more")}
        </Button>
      )}
    </div>
  );
}
