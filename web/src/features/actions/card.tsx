import { ConflictError } from "@parley/sdk/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { translated } from "../../i18n/i18n.js";
import { inWords } from "../../i18n/in-words.js";
import { failureOf } from "../../api/failure.js";
import { parley } from "../../api/parley.js";
import { conversationQuery, membersQuery } from "../../api/queries.js";
import { mayWrite } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import { Badge } from "../../ui/badge.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Alert } from "../../ui/field.js";
import { FIRST_FIELD } from "../../ui/focus.js";
import { TextArea } from "../../ui/text-area.js";
import { Ago, exact, until, useMinute } from "../../ui/time.js";
import { toast } from "../../ui/toasts.js";
import { agentsQuery } from "../settings/agents/queries.js";
import { Grounds } from "./grounds.js";
import { type PendingAction, readActionsAgain, showAction } from "./queries.js";
import { Values } from "./values.js";

const LOOKS = {
  pending: "warn",
  approved: "plain",
  executed: "ok",
  rejected: "plain",
  expired: "plain",
  failed: "danger",
} as const;

/** Something that an agent wants to do: what, for what reason a person is asked, and the decision. */
export function ActionCard({
  action,
  isInList = false,
  onDecided,
}: {
  action: PendingAction;
  /** In a list of all conversations, it says where it belongs. */
  isInList?: boolean;
  /** Called before the lists are read again, for the focus. */
  onDecided?: (card: HTMLElement | null) => void;
}): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const client = useQueryClient();
  const me = useMember();
  const card = useRef<HTMLElement>(null);
  const [isRejecting, setRejecting] = useState(false);
  /** Covers what the member has looked at. Only that is approved. */
  const [seen, setSeen] = useState(action.argumentsHash);
  useMinute();
  const { status, tool, expiresAt } = action;
  const name = inWords(tool);
  const isPending = status === "pending";
  const isOver = isPending && until(expiresAt) <= 0;
  /** Then the assistant says nothing of what comes of it. */
  const { data: conversation } = useQuery({
    ...conversationQuery(client, action.conversationId),
    enabled: isPending && !isOver,
  });
  const isHandled = isPending && !isOver && conversation?.handlingMode === "human";
  const isChanged = isPending && seen !== action.argumentsHash;

  const decide = useMutation({
    mutationFn: ({ approve, reason }: { approve: boolean; reason?: string | null }) =>
      approve
        ? parley.pendingActions.approve(action.id, { argumentsHash: seen })
        : parley.pendingActions.reject(action.id, { reason: reason ?? null }),
    onSuccess: (now, { approve }) => {
      toast(t(approve ? "approvals.approved" : "approvals.rejected", { tool: name }));
      showAction(client, now);
      onDecided?.(card.current);
      readActionsAgain(client);
    },
    onError: async (error, { approve }) => {
      // It may be another one by now, or decided: the card shows how it is.
      const now =
        error instanceof ConflictError ? await parley.pendingActions.get(action.id).catch(() => undefined) : undefined;
      if (now) showAction(client, now);
      if (now?.status === "pending") return;
      const reason = failureOf(error).sentence;
      toast(t(approve ? "approvals.notApproved" : "approvals.notRejected", { tool: name, reason }), { failed: true });
      if (now) readActionsAgain(client);
    },
  });
  return (
    <article ref={card} tabIndex={-1} aria-labelledby={`${id}-title`} className="flex flex-col gap-3 p-3 outline-none">
      <Head action={action} titleId={`${id}-title`} as={isInList ? "h2" : "h3"} isOver={isOver} />
      <Values values={action.arguments} workspaceId={action.workspaceId} label={t("approvals.arguments")} />
      <Why action={action} />
      <Grounds action={action} />
      <Outcome action={action} />
      {isHandled && <p className="text-sm text-muted">{t("approvals.handled")}</p>}
      {isPending && <Trouble isChanged={isChanged} error={decide.error} />}
      {(isInList || isPending) && (
        <div role="group" aria-label={t("entries.actions", { name })} className="flex flex-wrap items-center gap-2">
          {isInList && (
            <Link
              to="/inbox/$view/$conversationId"
              params={{ view: "all", conversationId: action.conversationId }}
              className="-ms-2 me-auto inline-flex h-9 items-center rounded-md px-2 text-sm font-medium whitespace-nowrap text-accent hover:bg-hover"
            >
              {t("attention.openConversation")}
            </Link>
          )}
          {isPending && !isOver && mayWrite(me) && (
            <Decide
              isChanged={isChanged}
              isBusy={decide.isPending}
              onLooked={() => {
                setSeen(action.argumentsHash);
                decide.reset();
              }}
              onApprove={() => decide.mutate({ approve: true })}
              onReject={() => setRejecting(true)}
            />
          )}
          {isPending && !mayWrite(me) && <p className="text-sm text-muted">{t("approvals.observer")}</p>}
        </div>
      )}
      <Reject
        isOpen={isRejecting}
        tool={name}
        isHandled={isHandled}
        onReject={(reason) => {
          setRejecting(false);
          decide.mutate({ approve: false, reason });
        }}
        onClose={() => setRejecting(false)}
      />
    </article>
  );
}

/** What an agent wants to do, which one and since when. */
function Head({
  action: { tool, status, agentId, createdAt, expiresAt },
  titleId,
  as: Heading,
  isOver,
}: {
  action: PendingAction;
  titleId: string;
  as: "h2" | "h3";
  isOver: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const { data: agents } = useQuery(agentsQuery());
  const agent = agents?.find((one) => one.id === agentId)?.name ?? t("common.assistant");
  return (
    <header className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <Heading id={titleId} className="font-semibold wrap-anywhere">
        {inWords(tool)}
      </Heading>
      <Badge look={isOver ? "plain" : LOOKS[status]}>{t(`approvals.status.${isOver ? "expired" : status}`)}</Badge>
      <p className="flex basis-full flex-wrap gap-x-3 text-sm text-muted">
        <span dir="auto">{t("approvals.askedBy", { name: agent })}</span>
        <Ago at={createdAt} className="tabular-nums" inSentence />
        {status === "pending" && !isOver && <Expires at={expiresAt} />}
      </p>
    </header>
  );
}

/** For what reason a person is asked. */
function Why({ action: { guardrail, requiredAssuranceLevel } }: { action: PendingAction }): ReactNode {
  const { t } = useTranslation();
  return (
    <p className="text-sm">
      <span className="text-muted">{t("approvals.why")} </span>
      <span dir="auto" className="wrap-anywhere">
        {translated(guardrail) ?? guardrail}
      </span>
      {requiredAssuranceLevel !== null && (
        <span className="block text-muted">
          {t("evaluate.needsLevel", { level: t(`policy.levels.${requiredAssuranceLevel}`) })}
        </span>
      )}
    </p>
  );
}

/** Why it is not decided, though the member has tried, or may want to. */
function Trouble({ isChanged, error }: { isChanged: boolean; error: Error | null }): ReactNode {
  const { t } = useTranslation();
  if (isChanged) return <Alert>{t("approvals.changed")}</Alert>;
  return error && <Alert>{t("approvals.refused", { reason: failureOf(error).sentence })}</Alert>;
}

function Decide({
  isChanged,
  isBusy,
  onLooked,
  onApprove,
  onReject,
}: {
  /** It is another action than the member has looked at. */
  isChanged: boolean;
  isBusy: boolean;
  onLooked: () => void;
  onApprove: () => void;
  onReject: () => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <div className="flex flex-wrap gap-2">
      {isChanged ? (
        <Button onClick={onLooked}>{t("approvals.looked")}</Button>
      ) : (
        <Button
          look="primary"
          disabled={isBusy}
          // The next card moves here. The second click of a double click must not approve it.
          onClick={({ detail }) => detail < 2 && onApprove()}
        >
          {t("entries.approve")}
        </Button>
      )}
      <Button look="danger" disabled={isBusy} onClick={onReject}>
        {t("entries.reject")}
      </Button>
    </div>
  );
}

/** Asks why. */
function Reject({
  isOpen,
  tool,
  isHandled,
  onReject,
  onClose,
}: {
  isOpen: boolean;
  tool: string;
  /** A person handles the conversation, so the assistant says nothing of it. */
  isHandled: boolean;
  onReject: (reason: string | null) => void;
  onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onReject((new FormData(event.currentTarget).get("reason") as string).trim() || null);
  };
  return (
    <Dialog open={isOpen} onClose={onClose} title={t("approvals.rejectTitle", { tool })}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <p>{t(isHandled ? "approvals.rejectExplainHandled" : "approvals.rejectExplain")}</p>
        <TextArea
          label={t("entries.reason")}
          hint={t("approvals.reasonHint")}
          name="reason"
          maxLength={2000}
          {...FIRST_FIELD}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button type="submit" look="danger">
            {t("entries.reject")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Who decided, and what came of it. */
function Outcome({
  action: { status, workspaceId, decidedBy, decidedAt, reason, result },
}: {
  action: PendingAction;
}): ReactNode {
  const { t } = useTranslation();
  const me = useMember();
  const { data: members } = useQuery(membersQuery());
  if (status === "pending") return null;
  const by = decidedBy === me.id ? t("common.you") : (members?.get(decidedBy ?? "")?.name ?? t("common.integration"));
  const value = result?.value;
  return (
    <div className="flex flex-col gap-2 text-sm">
      {decidedBy !== null && decidedAt !== null && (
        <p className="flex flex-wrap gap-x-3 text-muted">
          <span dir="auto">
            {t(status === "rejected" ? "approvals.rejectedBy" : "approvals.approvedBy", { name: by })}
          </span>
          <Ago at={decidedAt} className="tabular-nums" inSentence />
        </p>
      )}
      {reason !== null && (
        <p dir="auto" className="wrap-anywhere">
          {t("approvals.reason", { reason })}
        </p>
      )}
      {result?.code && (
        <p className="text-danger">
          {t(`approvals.failure.${result.code}`)}{" "}
          <span lang="en" className="wrap-anywhere">
            {result.message}
          </span>
        </p>
      )}
      {typeof value === "object" && value !== null && Object.keys(value).length > 0 && (
        <>
          <p className="text-muted">{t("approvals.result")}</p>
          <Values values={value} workspaceId={workspaceId} label={t("approvals.result")} />
        </>
      )}
    </div>
  );
}

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** In which time it expires, with the exact one on hover. */
function Expires({ at }: { at: string }): ReactNode {
  const { t, i18n } = useTranslation();
  const left = until(at);
  const [unit, size] = UNITS.find(([, one]) => left >= one) ?? UNITS[2];
  const time = new Intl.RelativeTimeFormat(i18n.language).format(Math.max(1, Math.floor(left / size)), unit);
  return (
    <time dateTime={at} title={exact(at)} className={`tabular-nums ${unit === "minute" ? "text-warn" : ""}`}>
      {t("approvals.expires", { time })}
    </time>
  );
}
