import { useQuery } from "@tanstack/react-query";
import {
  Fragment,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import { membersQuery } from "../../api/queries.js";
import { type Member, useMember } from "../../session/session.js";
import { Avatar } from "../../ui/avatar.js";
import { linked } from "../../ui/links.js";
import { Option } from "../../ui/option.js";
import { begunName, isMeant, mentionsIn, named, reads } from "./named.js";

const MAX_LISTED = 8;

interface Props {
  field: RefObject<HTMLTextAreaElement | null>;
  workspaceId: string;
  /** Says whom a text names, while this is on the page. */
  mentioned: Ref<(text: string) => string[]>;
}

/** While a note is written: `@` opens a list of colleagues. The focus stays in the field; arrows move, Enter and Tab choose. */
export function Mentions({ field, workspaceId, mentioned }: Props): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const me = useMember();
  const { data: members } = useQuery(membersQuery());
  const [begun, setBegun] = useState<{ from: number; text: string }>();
  const [at, setAt] = useState(0);
  const chosen = useRef(new Map<string, string>());
  const dismissed = useRef(-1);

  const all = [...(members?.values() ?? [])];
  useImperativeHandle(mentioned, () => (text) => mentionsIn(text, all, workspaceId, chosen.current));
  const wanted = begun?.text.toLocaleLowerCase() ?? "";
  const found = begun
    ? all
        .filter((member) => member.id !== me.id && reads(member, workspaceId) && isMeant(member.name, wanted))
        .sort((one, other) => one.name.localeCompare(other.name))
        .slice(0, MAX_LISTED)
    : [];
  const isOpen = found.length > 0;
  const active = Math.min(at, found.length - 1);

  const choose = (member: Member): void => {
    const element = field.current;
    if (!element || !begun) return;
    chosen.current.set(member.name, member.id);
    element.setRangeText(`@${member.name} `, begun.from, element.selectionStart, "end");
    element.dispatchEvent(new InputEvent("input", { bubbles: true }));
    setBegun(undefined);
  };
  const look = useEffectEvent((): void => {
    const element = field.current;
    if (!element) return;
    const before = element.value.slice(0, element.selectionStart);
    const text = element.selectionStart === element.selectionEnd ? begunName(before) : undefined;
    const from = text === undefined ? -1 : before.length - text.length - 1;
    if (from !== dismissed.current) dismissed.current = -1;
    setBegun(text === undefined || dismissed.current === from ? undefined : { from, text });
    setAt(0);
  });
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (!isOpen || event.isComposing || event.ctrlKey || event.metaKey) return;
    const { key } = event;
    if (key === "ArrowDown") setAt((active + 1) % found.length);
    else if (key === "ArrowUp") setAt((active - 1 + found.length) % found.length);
    else if (key === "Enter" || key === "Tab") choose(found[active]!);
    else if (key === "Escape") {
      dismissed.current = begun!.from;
      setBegun(undefined);
    } else return;
    // The key was for the list: it neither leaves the field nor sends the note.
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    const element = field.current;
    if (!element) return undefined;
    const end = new AbortController();
    const { signal } = end;
    element.addEventListener("keydown", (event) => onKey(event), { signal });
    for (const type of ["input", "click"]) element.addEventListener(type, () => look(), { signal });
    element.addEventListener("blur", () => setBegun(undefined), { signal });
    element.setAttribute("aria-autocomplete", "list");
    // The member may have typed before this was loaded.
    look();
    return () => {
      end.abort();
      element.removeAttribute("aria-autocomplete");
    };
  }, [field]);
  useEffect(() => {
    const element = field.current;
    if (!element || !isOpen) return undefined;
    element.setAttribute("aria-controls", id);
    element.setAttribute("aria-activedescendant", `${id}-${active}`);
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: "nearest" });
    return () => {
      element.removeAttribute("aria-controls");
      element.removeAttribute("aria-activedescendant");
    };
  }, [field, id, isOpen, active]);

  if (!isOpen) return null;
  return (
    <div
      id={id}
      role="listbox"
      aria-label={t("mentions.list")}
      className="absolute inset-s-0 bottom-full z-20 mb-1 max-h-60 w-72 max-w-full overflow-y-auto rounded-lg border border-line bg-raised py-1 shadow-popup"
    >
      {found.map((member, i) => (
        <Option
          key={member.id}
          id={`${id}-${i}`}
          isActive={i === active}
          onPoint={() => setAt(i)}
          onPick={() => choose(member)}
          className="cursor-default gap-2"
        >
          <Avatar id={member.id} name={member.name} size="sm" />
          <span className="min-w-0 flex-1">
            <bdi className="block truncate">{member.name}</bdi>
            <span className="block truncate text-xs text-muted">{member.email}</span>
          </span>
        </Option>
      ))}
    </div>
  );
}

/** The text of a note, with the names of those whom it names. */
export function MentionedText({ text, ids }: { text: string; ids: readonly string[] }): ReactNode {
  const me = useMember();
  const { data: members } = useQuery(membersQuery());
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { from, to, member } of named(
    text,
    ids.flatMap((id) => members?.get(id) ?? []),
  )) {
    parts.push(
      <Fragment key={end}>{linked(text.slice(end, from))}</Fragment>,
      <bdi
        key={`@${from}`}
        className={`rounded px-0.5 font-medium ${member.id === me.id ? "bg-accent text-on-accent" : "bg-selected text-accent-strong"}`}
      >
        {text.slice(from, to)}
      </bdi>,
    );
    end = to;
  }
  return (
    <div className="whitespace-pre-wrap">
      {parts}
      {linked(text.slice(end))}
    </div>
  );
}
