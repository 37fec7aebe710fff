import { useMutation, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { BookOpen, ChevronDown, Lightbulb, Sparkles, TriangleAlert, X } from "lucide-react";
import { Link } from "@tanstack/react-router";
import {
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { type Conversation, type Message, parley, type Schemas } from "../../api/parley.js";
import { threadQuery } from "../../api/queries.js";
import type { Cited, Draft } from "../../drafts/drafts.js";
import type { OpenDraft } from "../../drafts/open-draft.js";
import { ariaKeys, useKeys } from "../../keyboard/keys.js";
import { useOffers } from "../../keyboard/offers.js";
import { keysOf } from "../../keyboard/shortcuts.js";
import { Button, IconButton } from "../../ui/button.js";
import { Keys } from "../../ui/keys.js";
import { plain } from "../../ui/plain.js";
import { toast } from "../../ui/toasts.js";
import { isWide } from "../../ui/wide.js";
import { replaceRange } from "../writing/suggestions.js";

type Suggestion = Schemas["Suggestion"];
type Suggestions = Schemas["Suggestions"];

interface Props {
  conversation: Conversation;
  draft: Pick<Draft, "reply" | "cites">;
  open: OpenDraft;
  field: RefObject<HTMLTextAreaElement | null>;
  /** Puts the reply in front, and the focus into it. */
  onReply: () => void;
}

/**
 * Approved entries that may answer what the contact wrote last. One that is chosen is put into the reply, which cites it. Nothing is
 * sent by it.
 */
export default function Suggested({ conversation, draft: written, open, field, onReply }: Props): ReactNode {
  const { t } = useTranslation();
  const { id } = conversation;
  const client = useQueryClient();
  const listId = useId();
  const list = useRef<HTMLUListElement>(null);
  const [isOpen, setOpen] = useState(isWide);
  const { cites = [] } = written;
  const { queryKey, data, lastId, offered } = useOffered(id, cites);

  // A reply that was emptied is based on nothing.
  const isStale = cites.length > 0 && written.reply.trim() === "";
  useEffect(() => {
    if (isStale) open.change({ cites: undefined });
  }, [open, isStale]);

  const put = (text: string, added: readonly Cited[]): void => {
    onReply();
    const element = field.current;
    if (!element) return;
    const { value, selectionStart: from, selectionEnd: to } = element;
    replaceRange(element, between(value.slice(0, from), text.trim(), value.slice(to)), from, to);
    const kept = cites.filter((one) => !added.some(({ kbEntryId }) => kbEntryId === one.kbEntryId));
    open.change({ cites: [...kept, ...added] });
  };
  const insert = ({ kbEntryId, question, answer, confidence, warning }: Suggestion): void =>
    // Somebody has chosen an entry with a warning, and the reply is based on nothing else.
    put(answer, [{ kbEntryId, question, score: confidence ?? 1, warning }]);
  const draft = useMutation({
    mutationFn: () => parley.conversations.getSuggestions(id, { draft: true }),
    onSuccess: ({ draft: made }) => {
      if (!made) toast(t("suggested.noDraft"));
    },
    onError: (error) => toast(failureOf(error).sentence, { failed: true }),
  });
  // It answers what stood there when it was asked for.
  const drafted = draft.data?.messageId === lastId ? draft.data?.draft : undefined;
  const dismiss = (): void => {
    const ids = offered.map((one) => one.id);
    const set = (outcome: "ignored" | null): void =>
      void client.setQueryData<Suggestions>(queryKey, (now) => now && withOutcome(now, ids, outcome));
    set("ignored");
    field.current?.focus();
    Promise.all(ids.map((one) => parley.conversations.recordSuggestionOutcome(one, { outcome: "ignored" }))).catch(
      (error: unknown) => {
        set(null);
        toast(failureOf(error).sentence, { failed: true });
      },
    );
  };
  const buttons = (): HTMLButtonElement[] => [...(list.current?.querySelectorAll("button") ?? [])];
  const toList = (): void => {
    flushSync(() => setOpen(true));
    buttons()[0]?.focus();
  };
  const onKey = (event: KeyboardEvent): void => {
    const all = buttons();
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    const by = STEPS[event.key];
    if (event.key === "Escape") field.current?.focus();
    else if (by !== undefined) all[(at + by + all.length) % all.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  useKeys(offered.length ? { suggestions: toList } : {});
  useOffers(
    offered.map((one) => ({
      id: one.id,
      group: "conversation",
      label: () => t("suggested.insert", { question: one.question }),
      run: () => insert(one),
    })),
  );

  if (!offered.length && !cites.length) return null;
  return (
    <section aria-label={t("suggested.title")} className="m-3 mt-0 rounded-lg border border-line bg-canvas text-sm">
      {offered.length > 0 && (
        <Head
          count={offered.length}
          isOpen={isOpen}
          listId={listId}
          onOpen={setOpen}
          onDraft={data?.canDraft ? () => draft.mutate() : undefined}
          isDrafting={draft.isPending}
          onDismiss={dismiss}
        />
      )}
      {offered.length > 0 && drafted && (
        <Drafted
          sentences={drafted}
          conversation={conversation}
          suggestions={data?.suggestions ?? []}
          onInsert={(added) => {
            put(drafted.map(({ text }) => text).join(""), added);
            draft.reset();
          }}
          onClose={() => draft.reset()}
        />
      )}
      {offered.length > 0 && isOpen && (
        // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys are for the buttons in it
        <ul
          id={listId}
          ref={list}
          onKeyDown={onKey}
          className="flex flex-col gap-0.5 px-1 pb-1 @2xl:grid @2xl:auto-cols-fr @2xl:grid-flow-col"
        >
          {offered.map((one) => (
            <li key={one.id} className="min-w-0">
              <button
                type="button"
                lang={one.language}
                onClick={() => insert(one)}
                className="block size-full rounded-md px-2 py-1 text-start hover:bg-hover"
              >
                <Warning of={one} />
                <span dir="auto" className="block truncate font-medium">
                  {one.question}
                </span>
                <span dir="auto" className="block truncate text-muted">
                  {plain(firstLine(one.answer))}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {cites.length > 0 && (
        <Cites
          cites={cites}
          onUncite={(kbEntryId) => {
            open.change({ cites: cites.filter((one) => one.kbEntryId !== kbEntryId) });
            field.current?.focus();
          }}
        />
      )}
    </section>
  );
}

/** What the language model made of entries. Each sentence says from which, and none is sent before somebody has put it into the reply. */
function Drafted({
  sentences,
  conversation: { workspaceId },
  suggestions,
  onInsert,
  onClose,
}: {
  sentences: NonNullable<Suggestions["draft"]>;
  conversation: Conversation;
  suggestions: readonly Suggestion[];
  onInsert: (cites: Cited[]) => void;
  onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const ids = [...new Set(sentences.flatMap(({ kbEntryId }) => kbEntryId ?? []))];
  const entries = useQueries({
    queries: ids.map((entryId) => ({
      queryKey: ["knowledge", "entry", entryId],
      queryFn: () => parley.kbEntries.get(entryId).then(),
    })),
  });
  const questions = ids.map((_, n) => entries[n]?.data?.question ?? "");
  const questionOf = (entryId: string): string => questions[ids.indexOf(entryId)] ?? "";
  return (
    <div role="group" aria-label={t("suggested.draftOf")} className="border-t border-line px-3 py-2">
      <p dir="auto" className="max-h-48 overflow-y-auto whitespace-pre-wrap wrap-anywhere">
        {sentences.map(({ text, kbEntryId }, n) => (
          <Fragment key={n}>
            {text.trimEnd()}
            {kbEntryId !== null && (
              <Link
                to="/knowledge"
                search={{ workspace: workspaceId, show: "approved", entry: kbEntryId }}
                aria-label={`${ids.indexOf(kbEntryId) + 1}. ${t("suggested.source", { question: questionOf(kbEntryId) })}`}
                title={questionOf(kbEntryId)}
                className="ms-0.5 align-super text-xs text-accent hover:underline"
              >
                {ids.indexOf(kbEntryId) + 1}
              </Link>
            )}
            {text.slice(text.trimEnd().length)}
          </Fragment>
        ))}
      </p>
      <div className="mt-1 flex gap-1">
        <Button
          small
          onClick={() =>
            onInsert(
              ids.map((kbEntryId, n) => ({
                kbEntryId,
                question: questions[n]!,
                score: suggestions.find((one) => one.kbEntryId === kbEntryId)?.confidence ?? 0,
              })),
            )
          }
        >
          {t("suggested.insertDraft")}
        </Button>
        <Button small look="quiet" onClick={onClose}>
          {t("common.cancel")}
        </Button>
      </div>
    </div>
  );
}

/** The suggestions for the contact's last message that nobody has made anything of yet. */
function useOffered(id: string, cites: readonly Cited[]) {
  const client = useQueryClient();
  const { data: thread } = useQuery(threadQuery(client, id));
  const last = thread?.messages.findLast(isTurn);
  const waits = last?.direction === "inbound";
  const queryKey = ["suggestions", id, last?.id];
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => parley.conversations.getSuggestions(id, {}, { signal }).then(),
    enabled: waits,
    staleTime: Infinity,
  });
  const isCited = ({ kbEntryId }: Suggestion): boolean => cites.some((one) => one.kbEntryId === kbEntryId);
  const all = waits ? (data?.suggestions ?? []) : [];
  return { queryKey, data, lastId: last?.id, offered: all.filter((one) => one.outcome === null && !isCited(one)) };
}

function Head({
  count,
  isOpen,
  listId,
  onOpen,
  onDraft,
  isDrafting,
  onDismiss,
}: {
  count: number;
  isOpen: boolean;
  listId: string;
  onOpen: (isOpen: boolean) => void;
  /** If a language model can write one. */
  onDraft: (() => void) | undefined;
  isDrafting: boolean;
  onDismiss: () => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <div className="flex items-center gap-1 px-1">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        aria-keyshortcuts={ariaKeys(KEYS)}
        onClick={() => onOpen(!isOpen)}
        className="flex min-w-0 flex-1 items-center gap-1.5 rounded-md px-2 py-1 text-start text-muted hover:text-text"
      >
        <Lightbulb size={14} aria-hidden="true" className="shrink-0" />
        <span className="min-w-0 truncate">{t("suggested.count", { count })}</span>
        <span className="max-md:hidden">
          <Keys keys={KEYS} />
        </span>
        <ChevronDown
          size={14}
          aria-hidden="true"
          className={`shrink-0 transition-transform ${isOpen ? "rotate-180" : ""}`}
        />
      </button>
      {onDraft && (
        <Button small look="quiet" disabled={isDrafting} onClick={onDraft}>
          <Sparkles size={14} aria-hidden="true" />
          {t(isDrafting ? "suggested.drafting" : "suggested.draft")}
        </Button>
      )}
      <IconButton label={t("suggested.dismiss")} onClick={onDismiss}>
        <X size={14} />
      </IconButton>
    </div>
  );
}

/** What a reply is based on, each to be taken off. */
function Cites({ cites, onUncite }: { cites: readonly Cited[]; onUncite: (kbEntryId: string) => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <ul aria-label={t("suggested.cites")} className="flex flex-wrap gap-1 border-line px-2 py-1 not-first:border-t">
      {cites.map(({ kbEntryId, question, warning }) => (
        <li key={kbEntryId} className="flex max-w-full items-center gap-1 text-muted">
          <BookOpen size={14} aria-hidden="true" className="shrink-0" />
          <Warning of={{ warning }} />
          <span dir="auto" className="min-w-0 truncate">
            {question}
          </span>
          <IconButton label={t("suggested.uncite", { question })} onClick={() => onUncite(kbEntryId)}>
            <X size={12} />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

/** Why the entry may not be the answer. It is the first thing that a screen reader says of it. */
function Warning({ of: { warning } }: { of: Pick<Cited, "warning"> }): ReactNode {
  const { t, i18n } = useTranslation();
  if (!warning) return null;
  return (
    <span lang={i18n.language} className="flex shrink-0 items-center gap-1 text-warn">
      <TriangleAlert size={14} aria-hidden="true" className="shrink-0" />
      {t(`suggested.warning.${warning}`)}
    </span>
  );
}

const KEYS = keysOf("suggestions");
const STEPS: Partial<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** What is said to the contact, or by them. */
const isTurn = ({ direction, authorType }: Message): boolean => direction !== "internal" && authorType !== "system";

/** The text as a paragraph of its own. */
function between(before: string, text: string, after: string): string {
  const gap = (beside: string, has: RegExp, half: RegExp): string =>
    beside.trim() === "" || has.test(beside) ? "" : half.test(beside) ? "\n" : "\n\n";
  return gap(before, /\n\s*\n\s*$/, /\n\s*$/) + text + gap(after, /^\s*\n\s*\n/, /^\s*\n/);
}

const firstLine = (text: string): string => text.trim().split("\n", 1)[0]!;

const withOutcome = (now: Suggestions, ids: readonly string[], outcome: Suggestion["outcome"]): Suggestions => ({
  ...now,
  suggestions: now.suggestions.map((one) => (ids.includes(one.id) ? { ...one, outcome } : one)),
});
