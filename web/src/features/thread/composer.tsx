import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Eye, Paperclip, Pencil } from "lucide-react";
import {
  type ClipboardEvent,
  type DragEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { type Conversation, parley } from "../../api/parley.js";
import { contactQuery, nameOf } from "../../api/contacts.js";
import { type Thread, threadQuery } from "../../api/queries.js";
import type { Mode } from "../../drafts/drafts.js";
import { openDraft, restoreDraft } from "../../drafts/open-draft.js";
import { useDraft } from "../../drafts/use-draft.js";
import { withTexts } from "../../i18n/i18n.js";
import { useKeys } from "../../keyboard/keys.js";
import { type Offer, useOffers } from "../../keyboard/offers.js";
import { preferencesQuery } from "../../preferences/preferences.js";
import { mayWrite } from "../../session/roles.js";
import { environment, useMember } from "../../session/session.js";
import { Button, IconButton } from "../../ui/button.js";
import { Alert } from "../../ui/field.js";
import { keysOf } from "../shell/actions.js";
import { Body } from "./body.js";
import { CannedReplies } from "./canned-replies.js";
import { ComposerFiles } from "./composer-files.js";
import { hold } from "./held.js";
import { sayNotSent } from "./not-sent.js";
import type { Outgoing } from "./outbox.js";
import { arrival, forget, newKey, send } from "./outgoing.js";
import { SendMenu } from "./send-menu.js";
import { type SendList, type Way, WAYS, wayOf } from "./send-ways.js";
import { type After, stepsOf, stepWith } from "./steps.js";
import type { End } from "./timeline.js";
import { useSteps } from "./use-steps.js";

// A browser that is offline may not have them yet. Then a note names nobody, and the other version waits.
const none = { default: () => null };
const Mentions = withTexts(() =>
  import("./mentions.js").then(({ Mentions: it }) => ({ default: it })).catch(() => none),
);
const OtherVersion = withTexts(() =>
  import("./other-version.js").then(({ OtherVersion: it }) => ({ default: it })).catch(() => none),
);

/** So long after the last letter, a member is not typing any more. */
const TYPING_MS = 4_000;
const MAX_BODY = 100_000;
/** A reply by mail or SMS leaves after these seconds, if the member did not choose others. Until then it can be taken back. */
const UNDO_SECONDS = 10;
const HOLDS: ReadonlySet<string> = new Set(["email", "sms"]);

/** Where a member writes a reply to the contact, or a note for colleagues. The two look different, so that nobody mixes them up. */
export function Composer({
  conversation,
  end,
  onTyping,
}: {
  conversation: Conversation;
  end: RefObject<End | undefined>;
  onTyping: (typing: boolean) => void;
}): ReactNode {
  const { t } = useTranslation();
  const { id } = conversation;
  const client = useQueryClient();
  const me = useMember();
  const may = mayWrite(me);
  const { data: contact } = useQuery(contactQuery(conversation.contactId));
  const { data: thread } = useQuery(threadQuery(client, id));
  const { data: preferences, isLoading: arePreferencesOnTheirWay } = useQuery(preferencesQuery());
  const { sendWith, undoSeconds = UNDO_SECONDS } = preferences ?? {};
  const { isReady: isRead, draft, open } = useDraft(me.id, id, may);
  const isReady = isRead && !arePreferencesOnTheirWay;
  /** Whether the member has sent it before all that belongs to it was there. It goes out then. */
  const [due, setDue] = useState<After>();
  const { change } = open;
  const [uploads, setUploads] = useState<string[]>([]);
  const [error, setError] = useState<string>();
  const [sendList, setSendList] = useState<SendList>();
  const { actWith } = useSteps(conversation);
  const [isPreview, setPreview] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const picker = useRef<HTMLInputElement>(null);
  const mentioned = useRef<(text: string) => string[]>(() => []);
  const { mode } = draft;
  const text = draft[mode];
  const isNote = mode === "note";

  const toField = (): void => {
    // A hidden field cannot have the focus.
    flushSync(() => setPreview(false));
    field.current?.focus();
  };
  const write = (to: Mode) => () => {
    change({ mode: to });
    // At once: the next letter belongs to the field already.
    toField();
  };
  useKeys(may ? { r: write("reply"), n: write("note") } : {});

  const stopTyping = (): void => {
    clearTimeout(typing.current);
    onTyping(false);
  };
  useEffect(() => stopTyping, [id]);
  const offer = (id: string, label: () => string, run: () => void, keys?: readonly string[]): Offer[] =>
    may ? [{ id, group: "conversation", label, run, ...(keys && { keys }) }] : [];
  useOffers([
    ...(text.trim() === "" ? [] : WAYS.slice(0, isNote ? 1 : undefined)).flatMap(({ way, name }) =>
      offer(
        name,
        () => t(isNote ? "composer.addNote" : `shortcuts.${name}`),
        () => sendBy(way),
        keysOf(name),
      ),
    ),
    ...offer(
      "attach",
      () => t("composer.attach"),
      () => picker.current?.click(),
    ),
    ...(isNote || text.trim() === ""
      ? []
      : offer(
          "preview",
          () => t(isPreview ? "composer.edit" : "composer.preview"),
          () => setPreview(!isPreview),
        )),
  ]);
  // As high as its text, up to a limit.
  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.height = "auto";
    // An empty field is as high as its `rows`. To measure it would lay out the page once more.
    if (text === "") return;
    element.style.height = `${Math.min(element.scrollHeight, innerHeight * 0.35)}px`;
  }, [text, isReady]);

  const attach = async (files: Iterable<File>): Promise<void> => {
    for (const file of files) {
      setUploads((names) => [...names, file.name]);
      try {
        const form = new FormData();
        form.set("file", file);
        const { id: fileId, fileName } = await parley.attachments.upload(form);
        await restoreDraft(me.id, id, { files: [{ id: fileId, name: fileName }] });
      } catch (failure) {
        setError(`${file.name}: ${failureOf(failure).sentence}`);
      } finally {
        setUploads((names) => names.filter((name) => name !== file.name));
      }
    }
  };

  const submit = async (after: After = {}): Promise<void> => {
    const body = text.trim();
    if (!body || uploads.length) return;
    // Without the thread, the server could not tell whether the member has read what they answer.
    if (!thread) return setError(t("composer.tooEarly"));
    if (!isReady) return setDue(after);
    const isUnseen = end.current?.isUnseen ?? false;
    end.current?.show();
    // It is loaded, but out of sight.
    if (isUnseen && !isNote) return setError(t("composer.tooNew"));
    const read = client.getQueryData<Thread>(["thread", id])?.messages.at(-1)?.sequence;
    const { files } = draft;
    const key = newKey();
    // Nothing that can fail comes between this and `send`, which keeps the text.
    const draftUpdatedAt = open.take({ [mode]: "", files: [] });
    const outgoing: Outgoing = {
      key,
      environment: environment(),
      memberId: me.id,
      conversationId: id,
      kind: mode,
      body,
      files,
      mentions: isNote ? mentioned.current(body) : [],
      draftUpdatedAt,
      ifLastSequence: read,
      holdSeconds: HOLDS.has(conversation.channelType) ? undoSeconds : undefined,
      after,
      at: new Date().toISOString(),
    };
    setError(undefined);
    stopTyping();
    setPreview(false);
    const sending = send(outgoing);
    const step = isNote ? undefined : stepWith(after, stepsOf(conversation, me.id));
    if (step) void actWith(sending, step, Boolean(outgoing.holdSeconds));
    try {
      const messageId = await sending;
      open.taken(draftUpdatedAt);
      hold(outgoing, messageId);
      await arrival(client, id, messageId);
    } catch (failure) {
      // What was not sent is in the field again, before anything that was typed meanwhile.
      open.taken(undefined);
      await restoreDraft(me.id, id, { mode, text: body, files });
      if (openDraft(me.id, id) === open) end.current?.show();
      await client.refetchQueries({ queryKey: ["thread", id] });
      const newest = client.getQueryData<Thread>(["thread", id])?.messages.at(-1)?.sequence ?? 0;
      // Another conversation may be on the page by now, and nobody would see it said here.
      if (openDraft(me.id, id) !== open) sayNotSent(failure, id);
      else setError(!isNote && newest > (read ?? 0) ? t("composer.tooNew") : failureOf(failure).sentence);
    } finally {
      forget(outgoing.key);
    }
  };
  useEffect(() => {
    if (!due || !isReady) return;
    setDue(undefined);
    void submit(due);
  }, [due, isReady]);
  const canSend = text.trim() !== "" && uploads.length === 0 && thread !== undefined;
  const sendBy = (way: Way): void => {
    if (way !== "snooze") void submit(way === "send" ? {} : { then: way });
    else if (canSend) setSendList("times");
  };
  const draftNow = useRef(draft);
  draftNow.current = draft;

  const saved = !text ? "" : !draft.isUnsaved ? t("composer.saved") : open.isReachable ? "" : t("composer.savedHere");
  const shown = isPreview && !isNote && text.trim() !== "";
  if (!may) return <p className="border-t border-line p-3 text-center text-sm text-muted">{t("composer.observer")}</p>;
  const dropped = (event: DragEvent | ClipboardEvent, data: DataTransfer | null): void => {
    if (!data?.files.length) return;
    event.preventDefault();
    void attach(data.files);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => dropped(event, event.dataTransfer)}
      className={`relative m-3 mt-0 rounded-lg border ${isNote ? "border-note-line bg-note" : "border-edge bg-surface"} focus-within:outline-2 focus-within:outline-accent`}
    >
      <div role="radiogroup" aria-label={t("composer.mode")} className="flex gap-1 px-2 pt-2">
        {(["reply", "note"] as const).map((one) => (
          <button
            key={one}
            type="button"
            role="radio"
            aria-checked={mode === one}
            tabIndex={mode === one ? 0 : -1}
            onKeyDown={({ key }) => {
              if (key.startsWith("Arrow")) change({ mode: one === "reply" ? "note" : "reply" });
            }}
            onClick={write(one)}
            className={`h-7 rounded-md px-2 text-sm font-medium ${mode === one ? (isNote ? "bg-note-line/50 text-note-text" : "bg-selected text-accent-strong") : "text-muted hover:bg-hover"}`}
          >
            {t(`composer.${one}`)}
          </button>
        ))}
      </div>
      {shown && (
        <div dir="auto" className="max-h-[35vh] overflow-y-auto px-3 py-2">
          <Body text={text} format="markdown" />
        </div>
      )}
      <textarea
        hidden={shown}
        ref={field}
        aria-label={t(isNote ? "composer.note" : "composer.reply")}
        placeholder={
          isNote
            ? t("composer.placeholderNote")
            : t("composer.placeholderReply", { name: nameOf(contact) ?? t("common.unknownContact") })
        }
        dir="auto"
        rows={2}
        maxLength={MAX_BODY}
        value={text}
        className="block w-full resize-none bg-transparent px-3 py-2 outline-none placeholder:text-muted"
        onChange={({ target: { value } }) => {
          change({ [mode]: value });
          if (isNote) return;
          onTyping(value !== "");
          clearTimeout(typing.current);
          typing.current = setTimeout(() => onTyping(false), TYPING_MS);
        }}
        onKeyDown={(event) => {
          const way = wayOf(event, sendWith === "enter");
          if (!way || (isNote && way !== "send")) return;
          event.preventDefault();
          sendBy(way);
        }}
        onPaste={(event) => dropped(event, event.clipboardData)}
      />
      <ComposerFiles
        files={draft.files}
        uploads={uploads}
        onRemove={(fileId) => change({ files: draft.files.filter((file) => file.id !== fileId) })}
      />
      <Suspense>
        {isNote && isReady && <Mentions field={field} workspaceId={conversation.workspaceId} mentioned={mentioned} />}
        {draft.other && <OtherVersion other={draft.other} open={open} />}
      </Suspense>
      {error && (
        <div className="px-3 pb-2">
          <Alert>{error}</Alert>
        </div>
      )}
      <div className="flex items-center gap-2 px-2 pb-2">
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          onChange={({ target }) => {
            void attach([...(target.files ?? [])]);
            target.value = "";
          }}
        />
        <IconButton label={t("composer.attach")} onClick={() => picker.current?.click()}>
          <Paperclip size={16} />
        </IconButton>
        {!isNote && (
          <>
            <CannedReplies
              conversationId={id}
              workspaceId={conversation.workspaceId}
              onInsert={(canned) => {
                change({ reply: [draftNow.current.reply, canned].filter(Boolean).join("\n") });
                toField();
              }}
            />
            <IconButton
              label={t(isPreview ? "composer.edit" : "composer.preview")}
              aria-pressed={isPreview}
              disabled={!text.trim()}
              onClick={() => setPreview(!isPreview)}
            >
              {isPreview ? <Pencil size={16} /> : <Eye size={16} />}
            </IconButton>
          </>
        )}
        <p className="min-w-0 flex-1 truncate text-xs text-muted">
          {!isNote && conversation.status === "resolved" ? t("composer.resolvedHint") : saved}
        </p>
        {isNote ? (
          <Button type="submit" look="note" disabled={!canSend}>
            {t("composer.addNote")}
          </Button>
        ) : (
          <SendMenu list={sendList} onList={setSendList} isDisabled={!canSend} onSend={(after) => void submit(after)} />
        )}
      </div>
    </form>
  );
}
