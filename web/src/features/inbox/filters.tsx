import { ConversationStatus } from "@parley/sdk/enums";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Ellipsis } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { parley } from "../../api/parley.js";
import { labelsQuery, membersQuery } from "../../api/queries.js";
import type { Filter } from "../../api/views.js";
import { manages } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import { Button, IconButton } from "../../ui/button.js";
import { Confirm } from "../../ui/confirm.js";
import { useFirstFocus } from "../../ui/focus.js";
import { Menu, MenuItem } from "../../ui/menu.js";
import { toast } from "../../ui/toasts.js";
import type { Listed } from "./listed.js";
import type { InboxSearch } from "./search.js";
import { NameView } from "./name-view.js";

const CHANNELS = ["email", "webchat", "sms", "voice", "contact_form", "api"] as const;

/** The address of a list with this filter. */
const addressOf = (filter: Filter): InboxSearch => ({
  status: filter.status?.join(",") ?? "any",
  ...(filter.assigneeId !== undefined && { assignee: filter.assigneeId }),
  ...(filter.handlingMode !== undefined && { handler: filter.handlingMode }),
  ...(filter.channelType !== undefined && { channel: filter.channelType }),
  ...(filter.label !== undefined && { label: filter.label }),
  ...(filter.unread !== undefined && { unread: filter.unread }),
  ...(filter.sort === "waiting" && { waiting: true }),
});

interface Props {
  listed: Listed;
  isOpen: boolean;
  onClose: () => void;
}

/** What the list is narrowed to, in words and, if wanted, in fields; and the way from there to a saved view. */
export default function Filters({ listed, isOpen, onClose }: Props): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const me = useMember();
  const [asking, setAsking] = useState<"save" | "rename" | "delete">();
  const { saved, filter, isEdited } = listed;
  const show = (next: Filter | undefined): void =>
    void navigate({ to: ".", search: next ? addressOf(next) : {}, replace: true });
  const sentence = useSentence(filter ?? {});
  const changed = (): void => {
    setAsking(undefined);
    void client.invalidateQueries({ queryKey: ["views"] });
  };
  const failed = (error: unknown): void =>
    toast(t("failure.notSaved", { reason: failureOf(error).sentence }), { failed: true });
  const save = useMutation({
    mutationFn: async (): Promise<void> => {
      const { sort = "recent", ...rest } = filter!;
      await parley.views.update(saved!.id, { filter: rest, sort });
      await client.refetchQueries({ queryKey: ["views"] });
    },
    onSuccess: () => show(undefined),
    onError: failed,
  });
  const remove = useMutation({
    mutationFn: () => parley.views.delete(saved!.id),
    onSuccess: async () => {
      await navigate({ to: "/inbox/$view", params: { view: "all" }, replace: true });
      changed();
    },
    onError: failed,
  });
  if (!filter) return null;
  const maySave = saved !== undefined && (manages(me) || (!saved.shared && saved.memberId === me.id));
  return (
    <section aria-label={t("filters.title")} className="border-b border-line bg-canvas text-sm">
      <div
        role="presentation"
        onKeyDown={(event) => {
          // A menu or a dialog over it closes first.
          if (event.key !== "Escape" || !isOpen || asking || document.querySelector(":popover-open")) return;
          event.preventDefault();
          onClose();
        }}
      >
        {isOpen && <Fields filter={filter} onChange={show} />}
        <div className="flex items-center gap-1 py-1 ps-3 pe-1">
          <p className="min-w-0 flex-1 truncate text-muted" title={sentence}>
            {sentence}
          </p>
          {isEdited && (
            <Button small look="quiet" className="text-accent!" onClick={() => show(undefined)}>
              {t("filters.clear")}
            </Button>
          )}
          {isEdited && !saved && (
            <Button small onClick={() => setAsking("save")}>
              {t("filters.save")}
            </Button>
          )}
          {saved && (
            <Menu
              trigger={
                <IconButton label={t("filters.actions", { name: saved.name })} className="size-7">
                  <Ellipsis size={16} />
                </IconButton>
              }
            >
              {isEdited && maySave && <MenuItem onClick={() => save.mutate()}>{t("filters.saveChanges")}</MenuItem>}
              <MenuItem onClick={() => setAsking("save")}>{t("filters.saveNew")}</MenuItem>
              {maySave && <MenuItem onClick={() => setAsking("rename")}>{t("filters.rename")}</MenuItem>}
              {maySave && <MenuItem onClick={() => setAsking("delete")}>{t("filters.delete")}</MenuItem>}
            </Menu>
          )}
        </div>
        {asking === "save" && (
          <NameView
            title={t("filters.saveTitle")}
            onClose={() => setAsking(undefined)}
            write={({ name, shared }) => {
              const { sort = "recent", ...rest } = filter;
              return parley.views.create({ name, shared, filter: rest, sort });
            }}
            onWritten={async ({ id }) => {
              await client.refetchQueries({ queryKey: ["views"] });
              changed();
              await navigate({ to: "/inbox/$view", params: { view: id } });
            }}
          />
        )}
        {asking === "rename" && (
          <NameView
            title={t("filters.rename")}
            view={saved}
            onClose={() => setAsking(undefined)}
            write={(given) => parley.views.update(saved!.id, given)}
            onWritten={changed}
          />
        )}
        <Confirm
          open={asking === "delete"}
          title={t("filters.deleteTitle", { name: saved?.name })}
          verb={t("filters.delete")}
          danger
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(undefined)}
        >
          {t(saved?.shared ? "filters.deleteShared" : "filters.deleteOwn")}
        </Confirm>
      </div>
    </section>
  );
}

function Fields({ filter, onChange }: { filter: Filter; onChange: (filter: Filter) => void }): ReactNode {
  const { t } = useTranslation();
  const me = useMember();
  const { data: members } = useQuery(membersQuery());
  const { data: labels = [] } = useQuery(labelsQuery());
  const first = useFirstFocus<HTMLButtonElement>();
  const set = <Name extends keyof Filter>(name: Name, value: Filter[Name] | undefined): void => {
    const { [name]: _, ...rest } = filter;
    onChange({ ...rest, ...(value !== undefined && { [name]: value }) });
  };
  const names = new Set([...labels.map(({ name }) => name), ...(filter.label === undefined ? [] : [filter.label])]);
  return (
    <div className="flex flex-col gap-3 px-3 pt-3 pb-2">
      <div role="group" aria-label={t("filters.status")} className="flex flex-wrap gap-1">
        {ConversationStatus.map((status, nth) => {
          const isOn = filter.status?.includes(status) ?? false;
          return (
            <button
              key={status}
              ref={nth === 0 ? first : undefined}
              type="button"
              aria-pressed={isOn}
              onClick={() => {
                const next = ConversationStatus.filter((one) =>
                  one === status ? !isOn : filter.status?.includes(one),
                );
                set("status", next.length ? next : undefined);
              }}
              className={`h-7 rounded-full border px-2 font-medium ${isOn ? "border-accent bg-selected text-accent-strong" : "border-line text-muted hover:bg-hover"}`}
            >
              {t(`status.${status}`)}
            </button>
          );
        })}
      </div>
      <div className="grid grid-cols-2 gap-2">
        <Choice
          label={t("filters.assignee")}
          value={filter.assigneeId}
          onChange={(value) => set("assigneeId", value)}
          options={[
            ["me", t("filters.me")],
            ["none", t("filters.nobody")],
            ...[...(members?.values() ?? [])]
              .filter(({ id, role }) => id !== me.id && role !== "billing" && role !== "observer")
              .map(({ id, name }): [string, string] => [id, name]),
          ]}
        />
        <Choice
          label={t("filters.handler")}
          value={filter.handlingMode}
          onChange={(value) => set("handlingMode", value as Filter["handlingMode"])}
          options={[
            ["assistant", t("common.assistant")],
            ["human", t("filters.human")],
          ]}
        />
        <Choice
          label={t("filters.channel")}
          value={filter.channelType}
          onChange={(value) => set("channelType", value as Filter["channelType"])}
          options={CHANNELS.map((channel) => [channel, t(`channel.${channel}`)])}
        />
        <Choice
          label={t("filters.label")}
          value={filter.label}
          onChange={(value) => set("label", value)}
          options={[...names].map((name) => [name, name])}
        />
      </div>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        <Check
          label={t("filters.unread")}
          isOn={filter.unread === true}
          onChange={(on) => set("unread", on || undefined)}
        />
        <Check
          label={t("filters.waiting")}
          isOn={filter.sort === "waiting"}
          onChange={(on) => set("sort", on ? "waiting" : undefined)}
        />
      </div>
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string | undefined;
  options: readonly (readonly [value: string, name: string])[];
  onChange: (value: string | undefined) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps): ReactNode {
  const { t } = useTranslation();
  return (
    <label className="flex min-w-0 flex-col gap-0.5">
      <span className="text-xs text-muted">{label}</span>
      <select
        value={value ?? ""}
        onChange={({ target }) => onChange(target.value || undefined)}
        className="h-8 min-w-0 rounded-md border border-edge bg-surface px-1"
      >
        <option value="">{t("filters.any")}</option>
        {options.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

const Check = ({ label, isOn, onChange }: { label: string; isOn: boolean; onChange: (on: boolean) => void }) => (
  <label className="flex h-7 items-center gap-2">
    <input
      type="checkbox"
      checked={isOn}
      onChange={({ target }) => onChange(target.checked)}
      className="size-4 accent-accent"
    />
    {label}
  </label>
);

/** The filter in a few words. */
function useSentence(filter: Filter): string {
  const { t } = useTranslation();
  const me = useMember();
  const { data: members } = useQuery(membersQuery());
  const { status, assigneeId, handlingMode, channelType, label, unread, sort } = filter;
  const assignee =
    assigneeId === "none"
      ? t("filters.unassigned")
      : assigneeId === "me" || assigneeId === me.id
        ? t("filters.mine")
        : assigneeId && (members?.get(assigneeId)?.name ?? t("common.somebody"));
  return [
    status?.map((one) => t(`status.${one}`)).join(", ") ?? t("filters.anyStatus"),
    assignee,
    handlingMode && t(handlingMode === "assistant" ? "common.assistant" : "filters.human"),
    channelType && t(`channel.${channelType}`),
    label,
    unread === true && t("filters.unread"),
    sort === "waiting" && t("filters.waiting"),
  ]
    .filter(Boolean)
    .join(" · ");
}
