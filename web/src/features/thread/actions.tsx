import { useQuery } from "@tanstack/react-query";
import { ChevronDown, Clock, Ellipsis, Hourglass, Mail, MailOpen, RotateCcw, Tag } from "lucide-react";
import { type ReactNode, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Conversation } from "../../api/parley.js";
import { membersQuery } from "../../api/queries.js";
import { withTexts } from "../../i18n/i18n.js";
import { useKeys } from "../../keyboard/keys.js";
import { type Offer, useOffers } from "../../keyboard/offers.js";
import { mayWrite } from "../../session/roles.js";
import { type Member, useMember } from "../../session/session.js";
import { Button, IconButton } from "../../ui/button.js";
import { Menu, MenuItem, MenuLine } from "../../ui/menu.js";
import { canAnswer } from "../steps/colleagues.js";
import { SnoozeItems, useOtherTime } from "./snooze-items.js";
import { snoozes } from "./snoozes.js";
import { stepsOf } from "../steps/steps.js";
import { useSteps } from "../steps/use-steps.js";

const PickLabels = withTexts(() => import("../labels/pick-labels.js"));
const OpenCase = withTexts(() => import("../cases/open-case.js"));

const offer = (id: string, label: () => string, run: () => void): Offer => ({ id, group: "conversation", label, run });

/** What a member can do with a conversation. Each is shown at once, and taken back with a reason if the server refuses. */
export function ConversationActions({ conversation }: { conversation: Conversation }): ReactNode {
  return mayWrite(useMember()) && <Actions conversation={conversation} />;
}

function Actions({ conversation }: { conversation: Conversation }): ReactNode {
  const { t } = useTranslation();
  const me = useMember();
  const [menu, setMenu] = useState<"assign" | "snooze" | "labels" | "case">();
  const { data: members } = useQuery(membersQuery());
  const { status, assigneeId } = conversation;
  const mayWait = status === "open" || status === "snoozed";

  const { act, goOn } = useSteps(conversation);
  const to = stepsOf(conversation, me.id);
  const resolve = (): void => act(to.resolve(), goOn);
  const wait = (): void => act(to.wait());
  const reopen = (): void => act(to.reopen());
  const takeOver = (): void => act(to.takeOver());
  const release = (): void => act(to.release());
  const assign = (memberId: string | null): void => act(to.assign(memberId));
  const snooze = (until: Date): void => act(to.snooze(until.toISOString()));
  const otherTime = useOtherTime(snooze);
  const label = (changes: { add: string[]; remove: string[] }): void => {
    setMenu(undefined);
    if (changes.add.length + changes.remove.length > 0) act(to.label(changes));
  };

  const rest = useRest({
    conversation,
    onWait: mayWait ? wait : undefined,
    onReopen: status === "pending" ? reopen : undefined,
    onTurn: (step) => act(to[step]()),
    onLabels: () => setMenu("labels"),
  });
  const mine = assigneeId === me.id;
  useKeys({
    resolve: status === "resolved" ? undefined : resolve,
    takeOver: mine ? undefined : takeOver,
    mine: () => assign(me.id),
    assign: () => setMenu("assign"),
    snooze: status === "resolved" ? undefined : () => setMenu("snooze"),
    wait: mayWait ? wait : undefined,
    labels: () => setMenu("labels"),
    release: mine ? release : undefined,
    reopen: status === "open" ? undefined : reopen,
  });
  const colleagues = [...(members?.values() ?? [])].filter((one) => one.id !== me.id && canAnswer(one));
  useMoreOffers({ conversation, colleagues, onAssign: assign, onSnooze: snooze, onOpenCase: () => setMenu("case") });
  const listOf = (name: "assign" | "snooze"): List => ({
    isOpen: menu === name,
    onOpen: (opens) => setMenu(opens ? name : undefined),
  });
  return (
    // Beside the name there is no room for them in a narrow column.
    <div className="flex flex-wrap items-center gap-1.5 @max-2xl:w-full">
      <AssignMenu
        {...listOf("assign")}
        colleagues={colleagues}
        isAssigned={assigneeId !== null}
        onAssign={(to) => assign(to === "me" ? me.id : to)}
      />
      <div className="flex">
        {status !== "resolved" && (
          <SnoozeMenu
            {...listOf("snooze")}
            onSnooze={snooze}
            onOther={otherTime.ask}
            onReopen={status === "snoozed" ? reopen : undefined}
          />
        )}
        {rest.map(({ label, icon: Icon, run }) => (
          <IconButton key={label} label={label} className="@max-md:hidden" onClick={run}>
            <Icon size={16} />
          </IconButton>
        ))}
      </div>
      <Button small onClick={mine ? release : takeOver}>
        {t(mine ? "thread.action.release" : "thread.action.takeOver")}
      </Button>
      <Button small look="primary" onClick={status === "resolved" ? reopen : resolve}>
        {t(status === "resolved" ? "thread.action.reopen" : "thread.action.resolve")}
      </Button>
      <More items={rest} />
      {otherTime.dialog}
      <Suspense>
        {menu === "labels" && (
          <PickLabels has={conversation.labels} onPick={label} onClose={() => setMenu(undefined)} />
        )}
        {menu === "case" && <OpenCase about={conversation} onClose={() => setMenu(undefined)} />}
      </Suspense>
    </div>
  );
}

/** What is done less often, with its key where nothing else has it. */
function useRest({
  conversation: { unreadCount },
  onWait,
  onReopen,
  onTurn,
  onLabels,
}: {
  conversation: Conversation;
  onWait: (() => void) | undefined;
  onReopen: (() => void) | undefined;
  onTurn: (step: "read" | "unread") => void;
  onLabels: () => void;
}): Item[] {
  const { t } = useTranslation();
  const turned = unreadCount > 0 ? "read" : "unread";
  const turn = (): void => onTurn(turned);
  useKeys({ unread: turn });
  return [
    ...(onWait ? [{ label: t("thread.action.wait"), icon: Hourglass, run: onWait }] : []),
    ...(onReopen ? [{ label: t("thread.action.reopen"), icon: RotateCcw, run: onReopen }] : []),
    { label: t(`thread.action.${turned}`), icon: unreadCount > 0 ? MailOpen : Mail, run: turn },
    { label: t("thread.action.labels"), icon: Tag, run: onLabels },
  ];
}

interface Item {
  label: string;
  icon: typeof Tag;
  run: () => void;
}

/** On a phone, what is done less often is in a list. */
function More({ items }: { items: readonly Item[] }): ReactNode {
  const { t } = useTranslation();
  return (
    <span className="ms-auto @md:hidden">
      <Menu
        trigger={
          <IconButton label={t("thread.action.more")} className="size-8">
            <Ellipsis size={16} />
          </IconButton>
        }
      >
        {items.map(({ label, icon: Icon, run }) => (
          <MenuItem key={label} onClick={run}>
            <Icon size={16} aria-hidden="true" className="text-muted" />
            {label}
          </MenuItem>
        ))}
      </Menu>
    </span>
  );
}

/** What the command palette offers for the conversation besides what has a key. */
function useMoreOffers({
  conversation: { assigneeId, status },
  colleagues,
  onAssign,
  onSnooze,
  onOpenCase,
}: {
  conversation: Conversation;
  colleagues: readonly Member[];
  /** `null` is nobody. */
  onAssign: (to: string | null) => void;
  onSnooze: (until: Date) => void;
  onOpenCase: () => void;
}): void {
  const { t } = useTranslation();
  const unassign = offer(
    "unassign",
    () => t("thread.action.unassign"),
    () => onAssign(null),
  );
  const openCase = offer("open-case", () => t("cases.create"), onOpenCase);
  useOffers([
    ...(assigneeId === null ? [] : [unassign]),
    ...colleagues.map(({ id: to, name }) =>
      offer(
        to,
        () => t("palette.assign", { name }),
        () => onAssign(to),
      ),
    ),
    ...(status === "resolved" ? [] : snoozes()).map(([name, until]) =>
      offer(
        name,
        () => t("palette.snooze", { name: t(`thread.snoozeUntil.${name}`) }),
        () => onSnooze(until()),
      ),
    ),
    openCase,
  ]);
}

/** A list of actions that a key opens, too. */
interface List {
  isOpen: boolean;
  onOpen: (opens: boolean) => void;
}

function AssignMenu({
  isOpen,
  onOpen,
  colleagues,
  isAssigned,
  onAssign,
}: List & {
  colleagues: readonly Member[];
  isAssigned: boolean;
  /** `null` is nobody. */
  onAssign: (to: string | null) => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <Menu
      open={isOpen}
      onOpenChange={onOpen}
      trigger={
        <Button small>
          {t("thread.action.assign")}
          <ChevronDown size={14} aria-hidden="true" className="max-lg:hidden" />
        </Button>
      }
    >
      <MenuItem onClick={() => onAssign("me")}>{t("thread.action.assignMe")}</MenuItem>
      {colleagues.map((member) => (
        <MenuItem key={member.id} onClick={() => onAssign(member.id)}>
          {member.name}
        </MenuItem>
      ))}
      {isAssigned && (
        <>
          <MenuLine />
          <MenuItem onClick={() => onAssign(null)}>{t("thread.action.unassign")}</MenuItem>
        </>
      )}
    </Menu>
  );
}

function SnoozeMenu({
  isOpen,
  onOpen,
  onSnooze,
  onOther,
  onReopen,
}: List & {
  onSnooze: (until: Date) => void;
  onOther: () => void;
  /** Only for one that is snoozed. */
  onReopen: (() => void) | undefined;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <Menu
      open={isOpen}
      onOpenChange={onOpen}
      trigger={
        <IconButton label={t("thread.action.snooze")}>
          <Clock size={16} />
        </IconButton>
      }
    >
      <SnoozeItems onSnooze={onSnooze} onOther={onOther} />
      {onReopen && (
        <>
          <MenuLine />
          <MenuItem onClick={onReopen}>{t("thread.action.reopen")}</MenuItem>
        </>
      )}
    </Menu>
  );
}
