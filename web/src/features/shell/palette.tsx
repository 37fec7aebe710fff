import { Priority } from "@parley/sdk/enums";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { viewsQuery } from "../../api/queries.js";
import { VIEWS } from "../../api/views.js";
import { type Actions, actionOf } from "../../keyboard/keys.js";
import { offersNow } from "../../keyboard/offers.js";
import { manages } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import { Dialog } from "../../ui/dialog.js";
import { Keys } from "../../ui/keys.js";
import { Option } from "../../ui/option.js";
import { sectionsOf } from "../settings/settings.js";
import { SHORTCUTS } from "../../keyboard/shortcuts.js";
import { best } from "../../ui/match.js";
import { type Command, GROUPS } from "./commands.js";
import { useFinds } from "./finds.js";
import { navItemsOf } from "./nav-items.js";

const PRIORITIES = [...Priority].reverse();
// The dialog would give it the focus a frame later, and the first letters would be lost.
const takeFocus = (field: HTMLInputElement | null): void => field?.focus();

/** Finds an action or a page by its name, and people, conversations, companies, cases and entries. Actions are those that are bound at the moment, so each does what its key does. */
export default function Palette({ onClose }: { onClose: (run?: () => void) => void }): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const commands = useCommands();
  const wanted = text.trim();
  const found = best(commands, wanted, ({ label, rest = "" }) => `${label} ${rest}`);
  const { finds, isSearching } = useFinds(wanted);
  const search = useSearchFor(wanted);
  const shown = [...GROUPS.flatMap((group) => found.filter((one) => one.group === group)), ...finds, ...search];
  // What fits best comes first. Without a text, the groups have their order.
  const options = wanted === "" ? shown : [...found, ...finds, ...search];
  const active = options[Math.min(at, options.length - 1)];
  const optionId = (command: Command): string => `${id}-${command.id}`;
  const isNothing = wanted !== "" && found.length + finds.length === 0 && !isSearching;
  const activeId = active && optionId(active);
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [activeId]);

  const steer = (event: KeyboardEvent): void => {
    const { key } = event;
    const last = options.length - 1;
    const next =
      key === "ArrowDown" ? (at >= last ? 0 : at + 1) : key === "ArrowUp" ? (at <= 0 ? last : at - 1) : undefined;
    if (key === "Enter" && !event.nativeEvent.isComposing && active) onClose(active.run);
    else if (next !== undefined) setAt(next);
    else if (key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) onClose();
    else return;
    event.preventDefault();
  };
  const option = (command: Command): ReactNode => (
    <Option
      key={command.id}
      id={optionId(command)}
      isActive={command === active}
      onPoint={() => setAt(options.indexOf(command))}
      onPick={() => onClose(command.run)}
      className="min-h-9 cursor-pointer gap-3 rounded-md"
    >
      <span className="min-w-0 flex-1 truncate">
        <bdi>{command.label}</bdi>
        {command.rest && (
          <bdi dir="auto" className="ps-2 text-sm text-muted">
            {command.rest}
          </bdi>
        )}
      </span>
      {wanted !== "" && <span className="shrink-0 text-xs text-muted">{t(`palette.group.${command.group}`)}</span>}
      {command.keys && <Keys keys={command.keys} />}
    </Option>
  );
  return (
    <Dialog open bare wide onClose={() => onClose()} title={t("palette.title")}>
      <input
        ref={takeFocus}
        role="combobox"
        aria-label={t("palette.field")}
        aria-expanded
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-activedescendant={activeId}
        placeholder={t("palette.field")}
        value={text}
        maxLength={200}
        autoComplete="off"
        onChange={({ target }) => {
          setText(target.value);
          setAt(0);
        }}
        onKeyDown={steer}
        className="h-12 w-full shrink-0 rounded-t-lg border-b border-line bg-transparent px-4 text-lg outline-none placeholder:text-muted"
      />
      <p role="status" className={isNothing ? "px-5 pt-4 pb-2 text-muted" : "sr-only"}>
        {isNothing && t("palette.nothing", { text: wanted })}
      </p>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={t("palette.title")}
        className="max-h-96 min-h-0 overflow-y-auto p-2"
      >
        {wanted === ""
          ? GROUPS.map((group) => {
              const ofGroup = options.filter((one) => one.group === group);
              return (
                ofGroup.length > 0 && (
                  <div key={group} role="group" aria-labelledby={`${id}-${group}`} className="not-first:mt-2">
                    <p id={`${id}-${group}`} className="px-3 py-1 text-xs font-medium text-muted">
                      {t(`palette.group.${group}`)}
                    </p>
                    {ofGroup.map(option)}
                  </div>
                )
              );
            })
          : options.map(option)}
      </div>
    </Dialog>
  );
}

function useCommands(): Command[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const me = useMember();
  const isBilling = me.role === "billing";
  const { data: saved } = useQuery({ ...viewsQuery(), enabled: !isBilling });
  const go = (to: string) => () => void navigate({ to });
  const bound = (name: keyof Actions, command: Omit<Command, "id" | "run">): Command[] => {
    const run = actionOf(name);
    return run ? [{ ...command, id: name, run: () => run() }] : [];
  };
  const keysTo = (name: string): readonly string[] | undefined =>
    SHORTCUTS.find((shortcut) => shortcut.name.toLowerCase() === `go${name}`.toLowerCase())?.keys;
  const actions = SHORTCUTS.flatMap(({ name, keys, group }) =>
    // The palette is open already.
    group === "page" || name === "palette" || (isBilling && name === "search")
      ? []
      : bound(name, { group, label: t(`shortcuts.${name}`), keys }),
  );
  return [
    ...actions,
    ...bound("release", { group: "conversation", label: t("thread.action.release") }),
    ...bound("reopen", { group: "conversation", label: t("thread.action.reopen") }),
    ...PRIORITIES.flatMap((priority) =>
      bound(`priority-${priority}`, {
        group: "conversation",
        label: t("palette.priority", { name: t(`priority.${priority}`) }),
      }),
    ),
    ...offersNow().map((offer): Command => ({ ...offer, id: `offer-${offer.id}`, label: offer.label() })),
    ...(manages(me)
      ? [
          {
            id: "create-key",
            group: "settings" as const,
            label: t("apiKeys.create"),
            run: () => {
              go("/settings/api-access")();
              whenBound("create-key");
            },
          },
        ]
      : []),
    ...bound("other-side", { group: "general", label: t("palette.otherSide") }),
    ...bound("sign-out", { group: "general", label: t("shell.signOut") }),
    ...navItemsOf(me).map(({ to, name }): Command => {
      const keys = keysTo(name);
      return { id: `page-${name}`, group: "page", label: t(`shell.${name}`), ...(keys && { keys }), run: go(to) };
    }),
    ...(isBilling
      ? []
      : [
          ...VIEWS.map((view): Command => ({
            id: `view-${view}`,
            group: "page",
            label: t("palette.view", { name: t(`inbox.view.${view}`) }),
            run: () => void navigate({ to: "/inbox/$view", params: { view } }),
          })),
          ...(saved ?? []).map(({ id, name }) => ({
            id: `view-${id}`,
            group: "page" as const,
            label: t("palette.view", { name }),
            run: () => void navigate({ to: "/inbox/$view", params: { view: id } }),
          })),
          { id: "page-approvals", group: "page" as const, label: t("approvals.title"), run: go("/approvals") },
          { id: "page-accounts", group: "page" as const, label: t("accounts.title"), run: go("/accounts") },
          {
            id: "page-reports",
            group: "page" as const,
            label: t("reports.title"),
            rest: t("reports.explain"),
            run: go("/reports"),
          },
          { id: "page-policies", group: "page" as const, label: t("entries.policiesTab"), run: go("/policies") },
        ]),
    ...sectionsOf(me).map((section): Command => ({
      id: `section-${section}`,
      group: "settings",
      label: t(`settings.section.${section}`),
      run: go(`/settings/${section}`),
    })),
  ];
}

/** Does it as soon as the page is there that binds it. */
function whenBound(name: keyof Actions, attempts = 50): void {
  const run = actionOf(name);
  if (run) run();
  else if (attempts > 0) setTimeout(() => whenBound(name, attempts - 1), 100);
}

/** The jump to the search with what was typed. */
function useSearchFor(text: string): Command[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const me = useMember();
  if (text === "" || me.role === "billing") return [];
  const run = (): void => void navigate({ to: "/search", search: { q: text } });
  return [{ id: "search-for", group: "search", label: t("palette.search", { text }), run }];
}
