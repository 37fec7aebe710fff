import { type ReactNode, type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { Option } from "../../ui/option.js";

/** What is being typed before the caret, and where it began. */
export interface Begun {
  from: number;
  text: string;
}

interface Props<Item> {
  field: RefObject<HTMLTextAreaElement | null>;
  label: string;
  /** What the text before the caret begins, if it does. */
  begun: (before: string) => Begun | undefined;
  find: (text: string) => Item[];
  idOf: (item: Item) => string;
  row: (item: Item) => ReactNode;
  onChoose: (item: Item, range: { from: number; to: number }) => void;
  /** In the list's place if there is nothing that could be found. It closes when its link has lost the focus. */
  nothing?: ((onLeave: () => void) => ReactNode) | false;
}

/** Writes into a field as if it was typed. */
export function replaceRange(element: HTMLTextAreaElement, text: string, from: number, to: number): void {
  element.setRangeText(text, from, to, "end");
  element.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

const BOX =
  "absolute inset-s-0 bottom-full z-20 mb-1 w-80 max-w-full rounded-lg border border-line bg-raised shadow-popup";

/** A list over a field, about the word at the caret. The focus stays in the field; arrows move, Enter and Tab choose. */
export function Suggestions<Item>({
  field,
  label,
  begun: begins,
  find,
  idOf,
  row,
  onChoose,
  nothing,
}: Props<Item>): ReactNode {
  const id = useId();
  const [begun, setBegun] = useState<Begun>();
  const [at, setAt] = useState(0);
  const dismissed = useRef(-1);
  const found = begun ? find(begun.text) : [];
  const isOpen = found.length > 0;
  const note = useRef<HTMLDivElement>(null);
  const isNoted = begun !== undefined && nothing;
  const active = Math.min(at, found.length - 1);

  const choose = (item: Item): void => {
    const element = field.current;
    if (!element || !begun) return;
    setBegun(undefined);
    onChoose(item, { from: begun.from, to: element.selectionStart });
  };
  const look = useEffectEvent((): void => {
    const element = field.current;
    if (!element) return;
    const before = element.value.slice(0, element.selectionStart);
    const next = element.selectionStart === element.selectionEnd ? begins(before) : undefined;
    if (next?.from !== dismissed.current) dismissed.current = -1;
    setBegun(dismissed.current === next?.from ? undefined : next);
    setAt(0);
  });
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if ((!isOpen && !isNoted) || event.isComposing || event.ctrlKey || event.metaKey) return;
    const { key } = event;
    if (!isOpen && key !== "Escape") return;
    if (key === "ArrowDown") setAt((active + 1) % found.length);
    else if (key === "ArrowUp") setAt((active - 1 + found.length) % found.length);
    else if (key === "Enter" || key === "Tab") choose(found[active]!);
    else if (key === "Escape") {
      dismissed.current = begun!.from;
      setBegun(undefined);
    } else return;
    // The key was for the list: it neither leaves the field nor sends what is written.
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
    element.addEventListener(
      "blur",
      // Its link is reached with a click, or with Tab.
      ({ relatedTarget }) => !note.current?.contains(relatedTarget as Node | null) && setBegun(undefined),
      { signal },
    );
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

  if (isNoted)
    return (
      <div ref={note} role="status" className={`${BOX} px-3 py-2 text-sm text-muted`}>
        {nothing(() => setBegun(undefined))}
      </div>
    );
  if (!isOpen) return null;
  return (
    <div id={id} role="listbox" aria-label={label} className={`${BOX} max-h-60 overflow-y-auto py-1`}>
      {found.map((item, i) => (
        <Option
          key={idOf(item)}
          id={`${id}-${i}`}
          isActive={i === active}
          onPoint={() => setAt(i)}
          onPick={() => choose(item)}
          className="cursor-default gap-2"
        >
          {row(item)}
        </Option>
      ))}
    </div>
  );
}
