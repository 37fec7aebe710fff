import { ConversationStatus } from "@parley/sdk/enums";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { parley, type Schemas } from "../../api/parley.js";
import { LISTS, readAgain } from "../../api/lists.js";
import { contactQuery, displayNameOf } from "../../api/contacts.js";
import { membersQuery, viewCountQuery } from "../../api/queries.js";
import { type Filter, forMember } from "../../api/views.js";
import { type Offer, useOffers } from "../../keyboard/offers.js";
import { isLive } from "../../live/live.js";
import { useMember } from "../../session/session.js";
import { Button, IconButton } from "../../ui/button.js";
import { Confirm } from "../../ui/confirm.js";
import { Failed } from "../../ui/states.js";
import { Menu, MenuItem, MenuLine } from "../../ui/menu.js";
import { toast } from "../../ui/toasts.js";
import PickLabels from "../labels/pick-labels.js";
import type { Selection } from "./selection.js";
import { SnoozeItems, useOtherTime } from "../thread/snooze-items.js";
import { snoozes } from "../thread/snoozes.js";

type Change = Schemas["BulkChange"];
const POLL_MS = 1_000;
const MAX_SHOWN = 20;

interface Props {
  selection: Selection;
  /** Of the list. */
  filter: Filter;
  /** The id of the bulk action that is at work, or that left failures. */
  job: string | undefined;
  onJob: (id: string | undefined) => void;
}

/** What can be done with all selected conversations, and how far that is. */
export default function BulkBar({ selection, filter, job, onJob }: Props): ReactNode {
  return (
    <div className="flex max-h-[60%] shrink-0 flex-col overflow-y-auto border-t border-line bg-raised text-sm shadow-popup">
      {job !== undefined && <Job id={job} onClose={() => onJob(undefined)} />}
      {selection.isActive && <Actions selection={selection} filter={filter} onJob={onJob} />}
    </div>
  );
}

/** The filter of a list as that of a bulk action, which must say something. */
function bulkFilter({ sort, ...rest }: Filter, memberId: string): Schemas["BulkFilter"] {
  const filter = { ...forMember(rest, memberId), ...(sort === "waiting" && { waiting: true }) };
  return Object.keys(filter).length ? filter : { status: [...ConversationStatus] };
}

function Actions({ selection, filter, onJob }: Omit<Props, "job">): ReactNode {
  const { t } = useTranslation();
  const me = useMember();
  const { data: members } = useQuery(membersQuery());
  const [isLabelling, setLabelling] = useState(false);
  const [asked, setAsked] = useState<Change>();
  const { ids, isAll } = selection;
  const { data: counted } = useQuery({ ...viewCountQuery(filter, me.id), enabled: isAll });
  const howMany = counted && `${counted.count}${counted.more ? "+" : ""}`;
  const start = useMutation({
    mutationFn: (action: Change) =>
      parley.bulkActions.create({ filter: isAll ? bulkFilter(filter, me.id) : { ids: [...ids] }, action }),
    onSuccess: ({ id }) => {
      selection.clear();
      onJob(id);
    },
    onSettled: () => setAsked(undefined),
  });
  // What concerns conversations that nobody has looked at is asked about first.
  const change = (action: Change): void => (isAll ? setAsked(action) : start.mutate(action));
  const colleagues = [...(members?.values() ?? [])].filter(
    ({ id, status, role }) => id !== me.id && status === "active" && role !== "observer" && role !== "billing",
  );
  /** The status of all of them, if the list is of one. */
  const status = filter.status?.length === 1 ? filter.status[0] : undefined;
  const isResolved = status === "resolved";
  /** What else can be done with them, beside to resolve or to reopen them. */
  const others = [
    ...(isResolved || status === "pending" ? [] : (["wait"] as const)),
    ...(status === "pending" || status === "snoozed" ? (["reopen"] as const) : []),
  ];
  const offer = (id: string, label: string, run: () => void): Offer => ({
    id: `bulk-${id}`,
    group: "list",
    label: () => t("palette.selected", { name: label }),
    run,
  });
  const snooze = (until: Date): void => change({ type: "snooze", until: until.toISOString() });
  const otherTime = useOtherTime(snooze);
  const verb = isResolved ? ("reopen" as const) : ("resolve" as const);
  useOffers([
    ...([verb, ...others, "read", "unread"] as const).map((type) =>
      offer(type, t(`thread.action.${type}`), () => change({ type })),
    ),
    offer("assign-me", t("thread.action.assignMe"), () => change({ type: "assign", memberId: me.id })),
    ...colleagues.map(({ id, name }) =>
      offer(id, t("palette.assign", { name }), () => change({ type: "assign", memberId: id })),
    ),
    offer("unassign", t("thread.action.unassign"), () => change({ type: "unassign" })),
    ...(isResolved ? [] : snoozes()).map(([name, until]) =>
      offer(name, t("palette.snooze", { name: t(`thread.snoozeUntil.${name}`) }), () => snooze(until())),
    ),
    offer("labels", t("thread.action.labels"), () => setLabelling(true)),
    offer("all", t("bulk.selectAll"), selection.all),
    offer("clear", t("bulk.clear"), selection.clear),
  ]);
  return (
    <section aria-label={t("bulk.title")} className="flex flex-col gap-1.5 p-2">
      <div className="flex min-h-7 items-center gap-2 ps-1">
        <p role="status" className="min-w-0 flex-1 truncate font-medium">
          {isAll ? [t("bulk.all"), howMany].filter(Boolean).join(": ") : t("bulk.selected", { count: ids.size })}
        </p>
        {!isAll && (
          <Button small look="quiet" className="text-accent!" onClick={selection.all}>
            {t("bulk.selectAll")}
          </Button>
        )}
        <IconButton label={t("bulk.clear")} onClick={selection.clear} className="size-7">
          <X size={16} />
        </IconButton>
      </div>
      {start.error && <Failed error={start.error} />}
      <div className="flex flex-wrap gap-1.5">
        <Menu trigger={<Button small>{t("thread.action.assign")}</Button>}>
          <MenuItem onClick={() => change({ type: "assign", memberId: me.id })}>{t("thread.action.assignMe")}</MenuItem>
          {colleagues.map(({ id, name }) => (
            <MenuItem key={id} onClick={() => change({ type: "assign", memberId: id })}>
              {name}
            </MenuItem>
          ))}
          <MenuLine />
          <MenuItem onClick={() => change({ type: "unassign" })}>{t("thread.action.unassign")}</MenuItem>
        </Menu>
        {!isResolved && (
          <Menu trigger={<Button small>{t("thread.action.snooze")}</Button>}>
            <SnoozeItems onSnooze={snooze} onOther={otherTime.ask} />
          </Menu>
        )}
        {others.map((type) => (
          <Button key={type} small disabled={start.isPending} onClick={() => change({ type })}>
            {t(`thread.action.${type}`)}
          </Button>
        ))}
        {(["read", "unread"] as const).map((type) => (
          <Button key={type} small disabled={start.isPending} onClick={() => change({ type })}>
            {t(`thread.action.${type}`)}
          </Button>
        ))}
        <Button small onClick={() => setLabelling(true)}>
          {t("thread.action.labels")}
        </Button>
        <Button small look="primary" disabled={start.isPending} onClick={() => change({ type: verb })}>
          {t(`thread.action.${verb}`)}
        </Button>
      </div>
      {otherTime.dialog}
      {isLabelling && (
        <PickLabels
          onClose={() => setLabelling(false)}
          onPick={(labels) => {
            setLabelling(false);
            change({ type: "label", ...labels });
          }}
        />
      )}
      <Confirm
        open={asked !== undefined}
        title={t("bulk.askTitle")}
        verb={asked ? [t(`bulk.type.${asked.type}`), howMany && `(${howMany})`].filter(Boolean).join(" ") : ""}
        busy={start.isPending}
        onConfirm={() => asked && start.mutate(asked)}
        onClose={() => setAsked(undefined)}
      >
        {t("bulk.ask")}
      </Confirm>
    </section>
  );
}

/** How far a bulk action is, and what it could not change. Without failures it goes when it has ended. */
function Job({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ["bulk-action", id],
    queryFn: async ({ signal }) => await parley.bulkActions.get(id, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === "done" ? false : POLL_MS),
  });
  const { data: action, error } = query;
  const isDone = action?.status === "done";
  const ended = useEffectEvent(() => {
    for (const queryKey of isLive()
      ? [["counts"], ["view-count"]]
      : [LISTS, ["conversation"], ["counts"], ["view-count"]])
      readAgain(client, { queryKey });
    if (!action || action.failed > 0) return;
    toast(t("bulk.done", { count: action.done }));
    onClose();
  });
  useEffect(() => {
    if (isDone) ended();
  }, [isDone]);
  // Another member has signed in here, or it is older than its record.
  const isGone = error !== null && failureOf(error).kind === "missing";
  const gone = useEffectEvent(onClose);
  useEffect(() => {
    if (isGone) gone();
  }, [isGone]);
  if (!action) return error && <Failed error={error} onRetry={() => void query.refetch()} />;
  const { done, failed, total, errors } = action;
  const name = t(`bulk.type.${action.action.type}`);
  return (
    <section aria-label={t("bulk.progress")} className="flex flex-col gap-2 border-b border-line p-3 last:border-b-0">
      <div className="flex items-center gap-2">
        <p role="status" className="min-w-0 flex-1 font-medium">
          {isDone ? t("bulk.ended", { name, done, total }) : t("bulk.running", { name, done: done + failed, total })}
        </p>
        {isDone && (
          <IconButton label={t("common.close")} onClick={onClose} className="size-7">
            <X size={16} />
          </IconButton>
        )}
      </div>
      {!isDone && (
        <progress aria-label={name} max={total} value={done + failed} className="h-1.5 w-full accent-accent" />
      )}
      {failed > 0 && (
        <div role="alert" className="flex flex-col gap-1">
          <p className="text-danger">{t("bulk.failed", { count: failed })}</p>
          <ul className="flex flex-col gap-1">
            {errors.slice(0, MAX_SHOWN).map(({ conversationId, error: reason }) => (
              <li key={conversationId}>
                <Refused id={conversationId} reason={reason} />
              </li>
            ))}
          </ul>
          {failed > MAX_SHOWN && <p className="text-muted">{t("bulk.more", { count: failed - MAX_SHOWN })}</p>}
        </div>
      )}
    </section>
  );
}

/** A conversation that was not changed, and why. */
function Refused({ id, reason }: { id: string; reason: string }): ReactNode {
  const { t } = useTranslation();
  const { data: conversation, isError } = useQuery({
    queryKey: ["refused", id],
    queryFn: async ({ signal }) => await parley.conversations.get(id, { signal }),
  });
  const { data: contact } = useQuery({
    ...contactQuery(conversation?.contactId ?? ""),
    enabled: conversation !== undefined,
  });
  return (
    <p className="flex flex-col items-start break-words">
      {isError ? (
        t("bulk.outOfReach")
      ) : (
        <Link
          to="/inbox/$view/$conversationId"
          params={{ view: "all", conversationId: id }}
          className="font-medium text-accent hover:underline"
        >
          <bdi>{displayNameOf(contact)}</bdi>
        </Link>
      )}
      <span className="text-muted">{reason}</span>
    </p>
  );
}
