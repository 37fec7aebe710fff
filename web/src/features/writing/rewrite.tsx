import { useMutation, useQuery } from "@tanstack/react-query";
import { Sparkles } from "lucide-react";
import { type ReactNode, type RefObject, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { modelQuery } from "../../api/model.js";
import { type Conversation, parley, type Schemas } from "../../api/parley.js";
import type { OpenDraft } from "../../drafts/open-draft.js";
import { LANGUAGES } from "../../i18n/languages.js";
import { useOffers } from "../../keyboard/offers.js";
import { Button, IconButton } from "../../ui/button.js";
import { Menu, MenuItem, MenuLine } from "../../ui/menu.js";
import { toast } from "../../ui/toasts.js";
import { replaceRange } from "./suggestions.js";

interface Props {
  field: RefObject<HTMLTextAreaElement | null>;
  conversation: Conversation;
  open: OpenDraft;
}

interface Way {
  id: string;
  label: string;
  as: Schemas["RewriteText"]["as"];
  language?: string;
}

/** Has a language model rewrite what is selected in the reply, or all of it. Nothing is sent by it, and the text before stays in sight. */
export default function Rewrite({ field, conversation, open, tabIndex }: Props & { tabIndex: number }): ReactNode {
  const { t, i18n } = useTranslation();
  const { id } = conversation;
  const { data: hasModel } = useQuery(modelQuery(id));
  const rewrite = useMutation({
    mutationFn: async ({ as, language }: Way) => {
      const element = field.current;
      const value = element?.value ?? "";
      const { from, to } = chosenIn(element);
      if (from === to) return;
      const { text, reason } = await parley.conversations.rewriteText(id, {
        text: value.slice(from, to),
        as,
        ...(language !== undefined && { language }),
      });
      if (text === null) toast(t(`model.reasons.${reason!}`), { failed: true });
      else if (!element?.isConnected || element.value !== value) toast(t("model.changed"), { failed: true });
      else {
        replaceRange(element, text, from, to);
        element.focus();
        element.setSelectionRange(from, from + text.length);
        open.change({ original: open.now()?.original ?? value });
      }
    },
    onError: (error) => toast(failureOf(error).sentence, { failed: true }),
  });
  const names = new Intl.DisplayNames(i18n.language, { type: "language" });
  const languages = [...new Set([conversation.language, ...Object.keys(LANGUAGES)])].filter((one) => one !== null);
  const ways: Way[] = [
    { id: "shorter", label: t("model.shorter"), as: "shorter" },
    { id: "friendlier", label: t("model.friendlier"), as: "friendlier" },
    ...languages.map((language): Way => {
      const label = t("model.inLanguage", { language: names.of(language) ?? language });
      return { id: language, label, as: "translation", language };
    }),
  ];
  useOffers(
    hasModel
      ? ways.map((way) => ({
          id: `rewrite ${way.id}`,
          group: "conversation",
          label: () => t("model.rewriteAs", { how: way.label }),
          run: () => rewrite.mutate(way),
        }))
      : [],
  );
  if (!hasModel) return null;
  const label = t(rewrite.isPending ? "model.writing" : "model.rewrite");
  return (
    <Menu
      trigger={
        <IconButton label={label} aria-busy={rewrite.isPending} tabIndex={tabIndex} className="size-7">
          <Sparkles size={14} aria-hidden="true" className={rewrite.isPending ? "animate-pulse" : ""} />
        </IconButton>
      }
    >
      {ways.map((way, n) => (
        <Way key={way.id} way={way} isFirstLanguage={n === 2} onChoose={() => rewrite.mutate(way)} />
      ))}
    </Menu>
  );
}

function Way({
  way,
  isFirstLanguage,
  onChoose,
}: {
  way: Way;
  isFirstLanguage: boolean;
  onChoose: () => void;
}): ReactNode {
  return (
    <>
      {isFirstLanguage && <MenuLine />}
      <MenuItem onClick={onChoose}>{way.label}</MenuItem>
    </>
  );
}

/** What the reply was before a language model rewrote it, and the way back. */
export function Original({ field, open }: Pick<Props, "field" | "open">): ReactNode {
  const { t } = useTranslation();
  const { original, reply = "" } = open.now() ?? {};
  const isStale = original !== undefined && reply.trim() === "";
  useEffect(() => {
    if (isStale) open.change({ original: undefined });
  }, [open, isStale]);
  if (original === undefined || isStale) return null;
  const undo = (): void => {
    const element = field.current;
    if (!element) return;
    replaceRange(element, original, 0, element.value.length);
    element.focus();
    open.change({ original: undefined });
  };
  return (
    <div
      role="group"
      aria-label={t("model.original")}
      className="mx-3 mb-2 flex flex-wrap items-start gap-2 rounded-md bg-canvas px-3 py-2 text-sm"
    >
      <div className="min-w-40 flex-1">
        <p className="text-xs text-muted">{t("model.original")}</p>
        <p dir="auto" className="max-h-24 overflow-y-auto whitespace-pre-wrap wrap-anywhere">
          {original}
        </p>
      </div>
      <Button small onClick={undo}>
        {t("model.undo")}
      </Button>
    </div>
  );
}

/** The selection, or all of it, without the space around it. */
function chosenIn(element: HTMLTextAreaElement | null): { from: number; to: number } {
  if (!element) return { from: 0, to: 0 };
  const { value, selectionStart, selectionEnd } = element;
  const [start, end] = selectionStart === selectionEnd ? [0, value.length] : [selectionStart, selectionEnd];
  const chosen = value.slice(start, end);
  const from = start + chosen.length - chosen.trimStart().length;
  return { from, to: Math.max(from, end - (chosen.length - chosen.trimEnd().length)) };
}
