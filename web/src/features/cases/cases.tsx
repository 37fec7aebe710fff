import { CaseStatus } from "@parley/sdk/enums";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { membersQuery, workspacesQuery } from "../../api/queries.js";
import { mayWrite } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import type { Shown } from "../../shown.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { FilterSelect } from "../../ui/filter-select.js";
import { Page } from "../../ui/page.js";
import { focusFirstRow, Paged } from "../../ui/paged.js";
import { SearchField } from "../../ui/search-field.js";
import { Empty } from "../../ui/states.js";
import { CaseRow } from "./case-row.js";
import { CreateCase } from "./create-case.js";
import { casesQuery } from "./queries.js";

/** Matters that outlast one conversation, newest first, and those that a search finds. */
export function Cases(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const me = useMember();
  const search: Shown = useSearch({ strict: false });
  const { data: members } = useQuery(membersQuery());
  const { data: workspaces } = useQuery(workspacesQuery());
  const [isCreating, setCreating] = useState(false);
  const status = CaseStatus.find((one) => one === search.status);
  const workspace = workspaces?.find(({ id }) => id === search.workspace);
  const q = search.q ?? "";
  const assignee = search.assignee === undefined ? undefined : members?.get(search.assignee);
  const cases = useInfiniteQuery(
    casesQuery({
      ...(q && { q }),
      ...(status && { status }),
      ...(workspace && { workspaceId: workspace.id }),
      ...(assignee && { assigneeId: assignee.id }),
    }),
  );
  const filter = (change: Shown): void =>
    void navigate({
      to: "/cases",
      search: { q: search.q, status: search.status, assignee: search.assignee, workspace: search.workspace, ...change },
      replace: true,
    });
  const isFiltered = (status ?? workspace ?? assignee) !== undefined;
  const create = mayWrite(me) ? () => setCreating(true) : undefined;
  return (
    <Page
      title={t("shell.cases")}
      explain={t("cases.explain")}
      action={
        create && (
          <Button look="primary" onClick={create}>
            {t("cases.new")}
          </Button>
        )
      }
    >
      <div role="group" aria-label={t("cases.filters")} className="mb-4 flex flex-wrap gap-2">
        <div className="min-w-48 flex-1">
          <SearchField
            label={t("cases.search")}
            placeholder={t("cases.searchHint")}
            value={q}
            onSearch={(text) => filter({ q: text || undefined })}
            onEnter={focusFirstRow}
          />
        </div>
        <FilterSelect
          label={t("cases.statusLabel")}
          all={t("cases.allStates")}
          value={status}
          choices={CaseStatus.map((one) => [one, t(`cases.status.${one}`)])}
          onChoose={(one) => filter({ status: one })}
        />
        <FilterSelect
          label={t("cases.assignee")}
          all={t("cases.everybody")}
          value={assignee?.id}
          choices={[...(members?.values() ?? [])].map(({ id, name }) => [id, id === me.id ? t("cases.mine") : name])}
          onChoose={(id) => filter({ assignee: id })}
        />
        {workspaces && workspaces.length > 1 && (
          <FilterSelect
            label={t("cases.workspace")}
            all={t("cases.allWorkspaces")}
            value={workspace?.id}
            choices={workspaces.map(({ id, name }) => [id, name])}
            onChoose={(id) => filter({ workspace: id })}
          />
        )}
      </div>
      <Paged
        query={cases}
        label={t("shell.cases")}
        keyOf={({ id }) => id}
        empty={<NoCases q={q} isFiltered={isFiltered} onClear={() => filter({ q: undefined })} create={create} />}
        row={(one) => <CaseRow one={one} q={q} />}
      />
      <Dialog open={isCreating} onClose={() => setCreating(false)} title={t("cases.new")}>
        <CreateCase
          onCancel={() => setCreating(false)}
          onCreated={({ id }) => void navigate({ to: "/cases/$caseId", params: { caseId: id } })}
        />
      </Dialog>
    </Page>
  );
}

function NoCases({
  q,
  isFiltered,
  onClear,
  create,
}: {
  q: string;
  isFiltered: boolean;
  onClear: () => void;
  create: (() => void) | undefined;
}): ReactNode {
  const { t } = useTranslation();
  if (q)
    return (
      <Empty text={t(isFiltered ? "cases.noMatchFiltered" : "list.noMatch", { query: q })}>
        <Button onClick={onClear}>{t("list.clear")}</Button>
      </Empty>
    );
  if (isFiltered)
    return (
      <Empty text={t("list.filtered")}>
        <Link to="/cases" className="text-accent hover:underline">
          {t("list.clearFilters")}
        </Link>
      </Empty>
    );
  return <Empty text={t("cases.empty")}>{create && <Button onClick={create}>{t("cases.new")}</Button>}</Empty>;
}
