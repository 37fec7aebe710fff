import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import type { Conversation } from "../../api/parley.js";
import { mayWrite } from "../../session/roles.js";
import { casesHereQuery, casesOfContactQuery } from "./queries.js";
import { useMember } from "../../session/session.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { FIRST_FIELD } from "../../ui/focus.js";
import { Paged } from "../../ui/paged.js";
import { SearchField } from "../../ui/search-field.js";
import { Failed, Skeleton } from "../../ui/states.js";
import { toast } from "../../ui/toasts.js";
import { Close } from "../cases/case.js";
import { StatusBadge } from "../cases/case-row.js";
import OpenCase from "../cases/open-case.js";
import { excerptOf } from "../../ui/excerpt.js";
import { Marked } from "../../ui/marked.js";
import { type Case, caseChanged, casesQuery, linkConversation } from "../cases/queries.js";

const FEW = 10;

/** The cases about this conversation, and the others of its contact. */
export default function ContactCases({ conversation }: { conversation: Conversation }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { id } = conversation;
  const me = useMember();
  const here = useQuery(casesHereQuery(conversation));
  const theirs = useQuery(casesOfContactQuery(conversation));
  const [open, setOpen] = useState<"create" | "link">();
  const close = (): void => setOpen(undefined);
  const linked = useMutation({
    mutationFn: ({ one, isLinked }: { one: Case; isLinked: boolean }) => linkConversation(one.id, id, isLinked),
    onSuccess: (changed) => {
      close();
      caseChanged(client, changed);
    },
    onError: (error) => toast(t("failure.notSaved", { reason: failureOf(error).sentence }), { failed: true }),
  });
  const error = here.error ?? theirs.error;
  const cases = here.data ?? [];
  const others = (theirs.data ?? []).filter((one) => !one.conversationIds.includes(id));
  const may = mayWrite(me);
  const rows = (list: Case[], isLinked: boolean): ReactNode =>
    list.map((one) => (
      <li key={one.id} className="flex flex-col gap-1 py-1.5">
        <Link to="/cases/$caseId" params={{ caseId: one.id }} className="flex gap-1.5 hover:underline">
          <span className="text-muted tabular-nums">#{one.number}</span>
          <span dir="auto" className="min-w-0 flex-1 truncate">
            {one.title || t("cases.erased")}
          </span>
        </Link>
        <span className="flex flex-wrap items-center gap-1.5">
          <StatusBadge status={one.status} />
          {may && (
            <span
              role="group"
              aria-label={t("cases.actions", { number: one.number })}
              className="ms-auto flex flex-wrap gap-1.5"
            >
              <Close one={one} small />
              <Button small disabled={linked.isPending} onClick={() => linked.mutate({ one, isLinked: !isLinked })}>
                {t(isLinked ? "cases.unlink" : "cases.link")}
              </Button>
            </span>
          )}
        </span>
      </li>
    ));
  return (
    <>
      {error && (
        <Failed
          error={error}
          onRetry={() => {
            void here.refetch();
            void theirs.refetch();
          }}
        />
      )}
      {here.isPending || theirs.isPending ? (
        !error && <Skeleton lines={1} />
      ) : (
        <>
          {cases.length === 0 && <p className="text-muted">{t("cases.noneHere")}</p>}
          {cases.length > 0 && (
            <ul aria-label={t("cases.here")} className="flex flex-col divide-y divide-line">
              {rows(cases, true)}
            </ul>
          )}
          {others.length > 0 && (
            <>
              <h4 className="text-muted">{t("cases.ofContact")}</h4>
              <ul aria-label={t("cases.ofContact")} className="flex flex-col divide-y divide-line">
                {rows(others, false)}
              </ul>
            </>
          )}
        </>
      )}
      {may && (
        <div className="flex flex-wrap gap-2">
          <Button small onClick={() => setOpen("create")}>
            {t("cases.create")}
          </Button>
          <Button small onClick={() => setOpen("link")}>
            {t("cases.linkOne")}
          </Button>
        </div>
      )}
      {open === "create" && <OpenCase about={conversation} onClose={close} />}
      <Dialog open={open === "link"} onClose={close} title={t("cases.linkOne")}>
        <PickCase conversation={conversation} onPick={(one) => linked.mutate({ one, isLinked: true })} />
      </Dialog>
    </>
  );
}

/** The cases of the workspace, newest first, and those that a search finds. */
function PickCase({ conversation, onPick }: { conversation: Conversation; onPick: (one: Case) => void }): ReactNode {
  const { t } = useTranslation();
  const [q, setQ] = useState("");
  const cases = useInfiniteQuery(casesQuery({ workspaceId: conversation.workspaceId, ...(q && { q }) }, FEW));
  return (
    <>
      <SearchField
        label={t("cases.search")}
        placeholder={t("cases.searchHint")}
        value={q}
        onSearch={setQ}
        {...FIRST_FIELD}
      />
      <Paged
        query={cases}
        label={t("shell.cases")}
        keyOf={({ id }) => id}
        empty={<p className="text-muted">{q ? t("list.noMatch", { query: q }) : t("cases.empty")}</p>}
        row={(one) => (
          <button
            type="button"
            disabled={one.conversationIds.includes(conversation.id)}
            onClick={() => onPick(one)}
            className="flex w-full items-center gap-2 px-3 py-2 text-start -outline-offset-2 hover:bg-hover disabled:opacity-50"
          >
            <span className="text-muted tabular-nums">#{one.number}</span>
            <span dir="auto" className="min-w-0 flex-1 truncate">
              {q && one.title ? <Marked parts={excerptOf(one.title, q)} /> : one.title || t("cases.erased")}
            </span>
            <StatusBadge status={one.status} />
          </button>
        )}
      />
    </>
  );
}
