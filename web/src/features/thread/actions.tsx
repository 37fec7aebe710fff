import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronDown, Clock, Tag } from "lucide-react";
import { type ReactNode, Suspense, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { type Conversation, parley } from "../../api/parley.js";
import { membersQuery } from "../../api/queries.js";
import { withTexts } from "../../i18n/i18n.js";
import { actionOf, useKeys } from "../../keyboard/keys.js";
import { type Offer, useOffers } from "../../keyboard/offers.js";
import { isLive } from "../../live/live.js";
import { showConversation } from "../../live/place.js";
import { type Preferences, preferencesQuery } from "../../preferences/preferences.js";
import { useMember } from "../../session/session.js";
import { Button, IconButton } from "../../ui/button.js";
import { Menu, MenuItem, MenuLine } from "../../ui/menu.js";
import { showToast, toast } from "../../ui/toasts.js";
import { SNOOZES } from "../inbox/snoozes.js";
import { BACK_MS, remember } from "./last-step.js";
import { backFrom, type Step, stepsOf } from "./steps.js";

const PickLabels = withTexts(() => import("../labels/pick-labels.js"));
const OpenCase = withTexts(() => import("../cases/open-case.js"));

/** What follows a resolution by itself, by its key. */
const AFTER = { stay: "", next: "j", list: "u" };
const goOn = ({ afterResolve }: Preferences): void => actionOf(AFTER[afterResolve])?.();

const offer = (id: string, label: () => string, run: () => void): Offer => ({ id, group: "conversation", label, run });

type Change = Step & { of: Conversation };

/** One notice is enough: that of the last step. */
let closeNotice: (() => void) | undefined;

/** What a member can do with a conversation. Each is shown at once, and taken back with a reason if the server refuses. */
export function ConversationActions({ conversation }: { conversation: Conversation }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const me = useMember();
  const [menu, setMenu] = useState<"assign" | "snooze" | "labels" | "case">();
  const { data: members } = useQuery(membersQuery());
  const { id, status, assigneeId } = conversation;

  // Another conversation may be open here by the time that the server answers.
  const change = useMutation({
    // One after the other, so that what takes a step back comes after it.
    scope: { id: `steps ${id}` },
    mutationFn: ({ run }: Change) => run(parley.conversations),
    onMutate: async ({ of, change: changes }) => {
      const queryKey = ["conversation", of.id];
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData<Conversation>(queryKey) ?? of;
      const now = { ...before, ...changes };
      showConversation(client, before, now);
      // The request for it was cancelled.
      client.setQueryData(queryKey, now);
      return { before, now };
    },
    onError: (error, { of, name }, shown) => {
      if (shown) showConversation(client, shown.now, shown.before);
      void client.invalidateQueries({ queryKey: ["conversation", of.id] });
      toast(t("thread.failed", { action: t(`thread.action.${name}`), reason: failureOf(error).sentence }), {
        failed: true,
      });
    },
    onSuccess: (_, { of }) => {
      // Otherwise an event brings it. The lists show it already, and polling tells what else happened.
      if (isLive()) return;
      for (const queryKey of [["conversation", of.id], ["counts"]]) void client.invalidateQueries({ queryKey });
    },
  });
  const act = (step: Step, onSuccess?: () => void): void => {
    const way = backFrom(step, conversation, me.id);
    let close: (() => void) | undefined;
    const memory =
      way &&
      remember(me.id, () => {
        close?.();
        change.mutate({ ...way, of: { ...conversation, ...step.change } });
      });
    // It leaves the list. Not everybody knows the key, and a phone has none.
    if (memory && (step.name === "resolve" || step.name === "snooze")) {
      closeNotice?.();
      closeNotice = close = showToast(t(`thread.done.${step.name}`), {
        ms: BACK_MS,
        action: { label: t("thread.undo"), run: memory.back },
      });
    }
    const run: Step["run"] = (server) =>
      step.run(server).catch((error: unknown) => {
        memory?.forget();
        close?.();
        throw error;
      });
    change.mutate({ ...step, run, of: conversation }, onSuccess && { onSuccess });
  };
  const openId = useRef(id);
  openId.current = id;

  const to = stepsOf(conversation, me.id);
  const resolve = (): void =>
    act(
      to.resolve(),
      // Only while the conversation is open still.
      () =>
        void client.ensureQueryData(preferencesQuery()).then(
          (preferences) => openId.current === id && goOn(preferences),
          () => undefined,
        ),
    );
  const reopen = (): void => act(to.reopen());
  const takeOver = (): void => act(to.takeOver());
  const release = (): void => act(to.release());
  const assign = (memberId: string | null): void => act(to.assign(memberId));
  const snooze = (until: Date): void => act(to.snooze(until.toISOString()));
  const label = (changes: { add: string[]; remove: string[] }): void => {
    setMenu(undefined);
    if (changes.add.length + changes.remove.length > 0) act(to.label(changes));
  };

  const mine = assigneeId === me.id;
  const may = me.role !== "observer";
  useKeys(
    may
      ? {
          e: status === "resolved" ? undefined : resolve,
          t: mine ? undefined : takeOver,
          m: () => assign(me.id),
          a: () => setMenu("assign"),
          s: status === "resolved" ? undefined : () => setMenu("snooze"),
          l: () => setMenu("labels"),
          release: mine ? release : undefined,
          reopen: status === "resolved" ? reopen : undefined,
        }
      : {},
  );
  const colleagues = [...(members?.values() ?? [])].filter(
    ({ id: memberId, status: state, role }) =>
      memberId !== me.id && state === "active" && role !== "observer" && role !== "billing",
  );
  useOffers(
    may
      ? [
          ...(assigneeId === null
            ? []
            : [
                offer(
                  "unassign",
                  () => t("thread.action.unassign"),
                  () => assign(null),
                ),
              ]),
          ...colleagues.map(({ id: to, name }) =>
            offer(
              to,
              () => t("palette.assign", { name }),
              () => assign(to),
            ),
          ),
          ...(status === "resolved" ? [] : SNOOZES).map(([name, until]) =>
            offer(
              name,
              () => t("palette.snooze", { name: t(`thread.snoozeUntil.${name}`) }),
              () => snooze(until()),
            ),
          ),
          offer(
            "open-case",
            () => t("cases.create"),
            () => setMenu("case"),
          ),
        ]
      : [],
  );
  if (!may) return null;
  return (
    <div className="flex flex-wrap items-center gap-1.5 max-sm:w-full max-sm:gap-1">
      <Menu
        open={menu === "assign"}
        onOpenChange={(open) => setMenu(open ? "assign" : undefined)}
        trigger={
          <Button small>
            {t("thread.action.assign")}
            <ChevronDown size={14} aria-hidden="true" className="max-sm:hidden" />
          </Button>
        }
      >
        <MenuItem onClick={() => assign(me.id)}>{t("thread.action.assignMe")}</MenuItem>
        {colleagues.map((member) => (
          <MenuItem key={member.id} onClick={() => assign(member.id)}>
            {member.name}
          </MenuItem>
        ))}
        {assigneeId !== null && (
          <>
            <MenuLine />
            <MenuItem onClick={() => assign(null)}>{t("thread.action.unassign")}</MenuItem>
          </>
        )}
      </Menu>
      {status !== "resolved" && (
        <Menu
          open={menu === "snooze"}
          onOpenChange={(open) => setMenu(open ? "snooze" : undefined)}
          trigger={
            <IconButton label={t("thread.action.snooze")} className="max-sm:size-7">
              <Clock size={16} />
            </IconButton>
          }
        >
          {SNOOZES.map(([name, until]) => (
            <MenuItem key={name} onClick={() => snooze(until())}>
              {t(`thread.snoozeUntil.${name}`)}
            </MenuItem>
          ))}
        </Menu>
      )}
      <IconButton label={t("thread.action.labels")} className="max-sm:size-7" onClick={() => setMenu("labels")}>
        <Tag size={16} />
      </IconButton>
      {mine ? (
        <Button small onClick={release}>
          {t("thread.action.release")}
        </Button>
      ) : (
        <Button small onClick={takeOver}>
          {t("thread.action.takeOver")}
        </Button>
      )}
      {status === "resolved" ? (
        <Button small look="primary" onClick={reopen}>
          {t("thread.action.reopen")}
        </Button>
      ) : (
        <Button small look="primary" onClick={resolve}>
          {t("thread.action.resolve")}
        </Button>
      )}
      <Suspense>
        {menu === "labels" && (
          <PickLabels has={conversation.labels} onPick={label} onClose={() => setMenu(undefined)} />
        )}
        {menu === "case" && <OpenCase about={conversation} onClose={() => setMenu(undefined)} />}
      </Suspense>
    </div>
  );
}
