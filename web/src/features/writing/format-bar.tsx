import { Bold, Code, Italic, Link, List, Quote, Smile } from "lucide-react";
import {
  type KeyboardEvent as Press,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useEffectEvent,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import type { Conversation } from "../../api/parley.js";
import type { OpenDraft } from "../../drafts/open-draft.js";
import { withTexts } from "../../i18n/i18n.js";
import { nameOfKey } from "../../keyboard/keys.js";
import { IconButton } from "../../ui/button.js";
import { type Format, formatted, FORMATS } from "./format.js";
import Rewrite, { Original } from "./rewrite.js";
import { replaceRange } from "./suggestions.js";

const EmojiPicker = withTexts(() => import("./emoji-picker.js"));

const ICONS = { bold: Bold, italic: Italic, list: List, link: Link, quote: Quote, code: Code };
const KEYS: Partial<Record<Format, string>> = { bold: "b", italic: "i" };

/** Formats what is selected in the field, puts in emoji, and has it rewritten. A note has no formats, and is not rewritten. */
export default function FormatBar({
  field,
  isNote,
  conversation,
  open,
}: {
  field: RefObject<HTMLTextAreaElement | null>;
  isNote: boolean;
  conversation: Conversation;
  open: OpenDraft;
}): ReactNode {
  const { t } = useTranslation();
  const [isPicking, setPicking] = useState(false);
  /** The one button that Tab reaches. Arrows go on from there. */
  const [at, setAt] = useState(0);
  const formats = isNote ? [] : FORMATS;
  const tabIndexOf = (i: number): number => (i === Math.min(at, isNote ? 0 : formats.length + 1) ? 0 : -1);
  const steer = (event: Press<HTMLDivElement>): void => {
    const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>(":scope > button")];
    const from = buttons.indexOf(event.target as HTMLButtonElement);
    const to = { ArrowRight: from + 1, ArrowLeft: from - 1, Home: 0, End: -1 }[event.key];
    if (from < 0 || to === undefined) return;
    event.preventDefault();
    const next = (to + buttons.length) % buttons.length;
    setAt(next);
    buttons[next]?.focus();
  };
  const format = (name: Format): void => {
    const element = field.current;
    if (!element) return;
    const { value, selectionStart, selectionEnd } = element;
    const next = formatted({ text: value, from: selectionStart, to: selectionEnd }, name);
    element.focus();
    replaceRange(element, next.text, 0, value.length);
    element.setSelectionRange(next.from, next.to);
  };
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (isNote || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    const name = FORMATS.find((one) => KEYS[one] === event.key.toLowerCase());
    if (!name) return;
    event.preventDefault();
    format(name);
  });
  useEffect(() => {
    const element = field.current;
    const end = new AbortController();
    element?.addEventListener("keydown", (event) => onKey(event), { signal: end.signal });
    return () => end.abort();
  }, [field]);
  const put = (character: string): void => {
    const element = field.current;
    setPicking(false);
    if (!element) return;
    element.focus();
    replaceRange(element, character, element.selectionStart, element.selectionEnd);
  };
  return (
    <>
      {/* eslint-disable-next-line jsx-a11y/interactive-supports-focus -- one of its buttons has the focus */}
      <div
        role="toolbar"
        aria-label={t("writing.format")}
        // What is selected in the field stays so.
        onMouseDown={(event) => (event.target as Element).closest("button") && event.preventDefault()}
        onKeyDown={steer}
        className="flex flex-wrap items-center px-2"
      >
        {formats.map((name, i) => {
          const Icon = ICONS[name];
          const key = KEYS[name];
          const label = t(`writing.formats.${name}`);
          return (
            <IconButton
              key={name}
              label={label}
              title={key === undefined ? label : `${label} (${nameOfKey("Mod")} ${key.toUpperCase()})`}
              tabIndex={tabIndexOf(i)}
              className="size-7"
              onClick={() => format(name)}
            >
              <Icon size={14} aria-hidden="true" />
            </IconButton>
          );
        })}
        <IconButton
          tabIndex={tabIndexOf(formats.length)}
          label={t("writing.emoji")}
          aria-expanded={isPicking}
          aria-haspopup="listbox"
          className="size-7"
          onClick={() => setPicking(!isPicking)}
        >
          <Smile size={14} aria-hidden="true" />
        </IconButton>
        {!isNote && (
          <Rewrite field={field} conversation={conversation} open={open} tabIndex={tabIndexOf(formats.length + 1)} />
        )}
        <Suspense>
          {isPicking && (
            <EmojiPicker
              onPick={put}
              onClose={(isBack) => {
                setPicking(false);
                if (isBack) field.current?.focus();
              }}
            />
          )}
        </Suspense>
      </div>
      {!isNote && <Original field={field} open={open} />}
    </>
  );
}
