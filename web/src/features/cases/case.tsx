import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { parley } from "../../api/parley.js";
import { contactQuery, displayNameOf } from "../../api/contacts.js";
import { conversationQuery, membersQuery } from "../../api/queries.js";
import { mayWrite } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import { Button } from "../../ui/button.js";
import { DetailPage, DetailPending, Part } from "../../ui/detail-page.js";
import { Failed, Skeleton } from "../../ui/states.js";
import { When } from "../../ui/dates.js";
import { headlineOf } from "../../ui/headline.js";
import { Ago } from "../../ui/time.js";
import { toast } from "../../ui/toasts.js";
import { Facts } from "../contacts/facts.js";
import { CaseHistory } from "./case-history.js";
import { EditCase } from "./edit-case.js";
import { type Case, caseChanged, caseQuery, caseTypesQuery, linkConversation } from "./queries.js";

/** One case: what it is about, how far it is, its conversations, and what happened to it. */
export function CasePage(): ReactNode {
  const { t } = useTranslation();
  const { caseId = "" }: { caseId?: string } = useParams({ strict: false });
  const { data: one, error, refetch } = useQuery(caseQuery(caseId));
  const back = { to: "/cases", label: t("cases.back") };
  if (!one) return <DetailPending id={caseId} back={back} query={{ error, refetch }} one={t("shell.cases")} />;
  return (
    <DetailPage
      id={caseId}
      back={back}
      title={`#${one.number} ${one.title || t("cases.erased")}`}
      action={<Close key={one.id} one={one} />}
    >
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      <Content key={one.id} one={one} />
    </DetailPage>
  );
}

/** Closes an open case, and opens a closed one again. */
export function Close({ one, small }: { one: Case; small?: boolean }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const me = useMember();
  const isClosed = one.status === "resolved";
  const change = useMutation({
    mutationFn: () => parley.cases.update(one.id, { status: isClosed ? "in_progress" : "resolved" }),
    onSuccess: (changed) => {
      caseChanged(client, changed);
      toast(t(isClosed ? "cases.reopened" : "cases.closed", { number: one.number }));
    },
    onError: (error) => toast(t("failure.notSaved", { reason: failureOf(error).sentence }), { failed: true }),
  });
  if (!mayWrite(me)) return null;
  return (
    <Button small={small} disabled={change.isPending} onClick={() => change.mutate()}>
      {t(isClosed ? "cases.reopen" : "cases.close")}
    </Button>
  );
}

function Content({ one }: { one: Case }): ReactNode {
  const { t } = useTranslation();
  const me = useMember();
  const { data: contact } = useQuery({ ...contactQuery(one.contactId ?? ""), enabled: one.contactId !== null });
  const { data: types } = useQuery(caseTypesQuery());
  const type = one.typeId === null ? null : types?.find(({ id }) => id === one.typeId);
  const may = mayWrite(me);
  return (
    <div className="flex flex-col gap-8">
      <div className="grid grid-cols-1 items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <Part title={t("cases.details")}>
          {type === undefined ? (
            <Skeleton lines={3} />
          ) : may ? (
            <EditCase one={one} type={type} />
          ) : (
            <CaseFacts one={one} labels={new Map(type?.fields.map(({ key, label }) => [key, label]))} />
          )}
        </Part>
        <div className="flex min-w-0 flex-col gap-8">
          <Part title={t("cases.conversations")}>
            {one.conversationIds.length === 0 ? (
              <p className="text-muted">{t("cases.noConversations")}</p>
            ) : (
              <ul
                aria-label={t("cases.conversations")}
                className="flex flex-col divide-y divide-line rounded-lg border border-line"
              >
                {one.conversationIds.map((id) => (
                  <li key={id}>
                    <LinkedConversation one={one} id={id} mayUnlink={may} />
                  </li>
                ))}
              </ul>
            )}
          </Part>
          <Part title={t("contacts.facts")}>
            <Facts
              facts={[
                [
                  t("cases.contact"),
                  one.contactId !== null && (
                    <Link
                      to="/contacts/$contactId"
                      params={{ contactId: one.contactId }}
                      className="text-accent hover:underline"
                    >
                      {displayNameOf(contact)}
                    </Link>
                  ),
                ],
                [t("cases.type"), type?.name],
                [t("cases.opened"), <Ago at={one.createdAt} inSentence />],
              ]}
            />
          </Part>
        </div>
      </div>
      <CaseHistory id={one.id} labels={new Map(type?.fields.map(({ key, label }) => [key, label]))} />
    </div>
  );
}

/** The same to read only. */
function CaseFacts({ one, labels }: { one: Case; labels: Map<string, string> }): ReactNode {
  const { t } = useTranslation();
  const { data: members } = useQuery(membersQuery());
  return (
    <Facts
      facts={[
        [t("cases.statusLabel"), t(`cases.status.${one.status}`)],
        [t("cases.priority"), t(`priority.${one.priority}`)],
        [
          t("cases.assignee"),
          one.assigneeId === null ? t("cases.nobody") : (members?.get(one.assigneeId)?.name ?? t("common.somebody")),
        ],
        [t("cases.due"), one.dueAt !== null && <When at={one.dueAt} />],
        ...Object.entries(one.fields).map(
          ([key, value]) =>
            [labels.get(key) ?? key, typeof value === "string" ? value : JSON.stringify(value)] as const,
        ),
      ]}
    />
  );
}

function LinkedConversation({ one, id, mayUnlink }: { one: Case; id: string; mayUnlink: boolean }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data: conversation, error } = useQuery(conversationQuery(client, id));
  const unlink = useMutation({
    mutationFn: () => linkConversation(one.id, id, false),
    onSuccess: (changed) => caseChanged(client, changed),
    onError: (failure) => toast(t("failure.notSaved", { reason: failureOf(failure).sentence }), { failed: true }),
  });
  const subject = (conversation && headlineOf(conversation)) || (error ? failureOf(error).sentence : t("thread.title"));
  return (
    <div className="flex items-center gap-2 py-1 pe-2">
      <Link
        to="/inbox/$view/$conversationId"
        params={{ view: "all", conversationId: id }}
        className="flex min-w-0 flex-1 flex-col px-3 py-1 -outline-offset-2 hover:underline"
      >
        <span dir="auto" className="line-clamp-2 wrap-anywhere">
          {subject}
        </span>
        {conversation && (
          <span className="flex flex-wrap gap-x-2 text-sm text-muted">
            <span>{t(`status.${conversation.status}`)}</span>
            <Ago at={conversation.lastActivityAt} className="tabular-nums" />
          </span>
        )}
      </Link>
      {mayUnlink && (
        <Button
          small
          aria-label={t("cases.unlinkThis", { subject })}
          disabled={unlink.isPending}
          onClick={() => unlink.mutate()}
        >
          {t("cases.unlink")}
        </Button>
      )}
    </div>
  );
}
