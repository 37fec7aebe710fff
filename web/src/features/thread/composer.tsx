import { useQuery } from "@tanstack/react-query";
import { Eye, Paperclip, Pencil } from "lucide-react";
import {
  type ComponentProps,
  type DragEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import type { Conversation } from "../../api/parley.js";
import { contactQuery, displayNameOf } from "../../api/contacts.js";
import type { Draft, Mode } from "../../drafts/drafts.js";
import { type OpenDraft, restoreDraft } from "../../drafts/open-draft.js";
import { useDraft } from "../../drafts/use-draft.js";
import { withTexts } from "../../i18n/i18n.js";
import { useKeys } from "../../keyboard/keys.js";
import { type Offer, useOffers } from "../../keyboard/offers.js";
import { preferencesQuery } from "../../preferences/preferences.js";
import { mayWrite } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import { Button, IconButton } from "../../ui/button.js";
import { Alert } from "../../ui/field.js";
import { keysOf } from "../../keyboard/shortcuts.js";
import { Body } from "./body.js";
import { CannedReplies } from "./canned-replies.js";
import { ComposerFiles } from "./composer-files.js";
import { Recipients } from "./recipients.js";
import { ModeChoice } from "./mode-choice.js";
import { SendMenu } from "./send-menu.js";
import { leaveField } from "../../preferences/after-send.js";
import { type SendList, type SendOption, SEND_OPTIONS, sendOptionOf } from "./send-options.js";
import { useSubmit } from "./submit.js";
import type { End } from "./timeline.js";
import { useTyping } from "./typing.js";
import { isMail, usePaste } from "./pictures.js";
import { useUploads } from "./uploads.js";

// A browser that is offline may not have them yet. Then a note names nobody, and the other version waits.
const Mentions = withTexts(() => import("./mentions.js"));
const MailFrame = withTexts(() => import("./mail-frame.js"));
const Completions = withTexts(() => import("../writing/completions.js"));
const FormatBar = withTexts(() => import("../writing/format-bar.js"));
const Suggested = withTexts(() => import("./suggested.js"));
const OtherVersion = withTexts(() => import("./other-version.js"));

const MAX_BODY = 100_000;
/** A reply by mail or SMS leaves after these seconds, if the member did not choose others. Until then it can be taken back. */
const UNDO_SECONDS = 10;

interface Props {
  conversation: Conversation;
  end: RefObject<End | null>;
  onTyping: (typing: boolean) => void;
}

/** Where a member writes a reply to the contact, or a note for colleagues. The two look different, so that nobody mixes them up. */
export function Composer(props: Props): ReactNode {
  const { t } = useTranslation();
  if (mayWrite(useMember())) return <Writing {...props} />;
  return <p className="border-t border-line p-3 text-center text-sm text-muted">{t("composer.observer")}</p>;
}

function Writing({ conversation, end, onTyping }: Props): ReactNode {
  const { t } = useTranslation();
  const { id } = conversation;
  const me = useMember();
  const { data: preferences, isLoading: arePreferencesOnTheirWay } = useQuery(preferencesQuery());
  const { isReady: isRead, draft, open } = useDraft(me.id, id, true);
  const isReady = isRead && !arePreferencesOnTheirWay;
  const { change } = open;
  const { mode } = draft;
  const text = draft[mode];
  const isNote = mode === "note";
  const isEmpty = text.trim() === "";
  const [error, setError] = useState<string>();
  const [sendList, setSendList] = useState<SendList>();
  const [isPreview, setPreview] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const mentioned = useRef<(text: string) => string[]>(null);
  const [isNaming, setNaming] = useState(false);
  const typing = useTyping(onTyping);
  const { uploads, attach } = useUploads((file) => restoreDraft(me.id, id, { files: [file] }), setError);
  const paste = usePaste({ conversation, mode, field, open, attach });
  const { canSend, submit } = useSubmit({
    conversation,
    draft,
    open,
    isReady,
    isUploading: uploads.length > 0,
    undoSeconds: preferences?.undoSeconds ?? UNDO_SECONDS,
    end,
    mentionsIn: (written) => mentioned.current?.(written) ?? [],
    onError: setError,
    onLeave: () => {
      typing.stop();
      setPreview(false);
      setNaming(false);
      leaveField();
    },
  });
  const sendBy = (option: SendOption): void => {
    if (option !== "snooze") submit(option === "send" ? {} : { then: option });
    else if (canSend) setSendList("times");
  };

  const toField = (): void => {
    // A hidden field cannot have the focus.
    flushSync(() => setPreview(false));
    field.current?.focus();
  };
  const write = (to: Mode): void => {
    change({ mode: to });
    // At once: the next letter belongs to the field already.
    toField();
  };
  useKeys({ reply: () => write("reply"), note: () => write("note") });
  const offer = (one: Omit<Offer, "group">): Offer => ({ ...one, group: "conversation" });
  const options = optionsFor(draft);
  useOffers([
    ...options.map(({ option, name }) =>
      offer({
        id: name,
        label: () => t(isNote ? "composer.addNote" : `shortcuts.${name}`),
        keys: keysOf(name),
        run: () => sendBy(option),
      }),
    ),
    { id: "attach", group: "conversation", label: () => t("composer.attach"), run: () => picker.current?.click() },
    ...(isNote || isEmpty
      ? []
      : [
          offer({
            id: "preview",
            label: () => t(isPreview ? "composer.edit" : "composer.preview"),
            run: () => setPreview(!isPreview),
          }),
        ]),
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

  const drop = (event: DragEvent): void => {
    const files = [...event.dataTransfer.files];
    if (!files.length) return;
    event.preventDefault();
    void attach(files);
  };
  const isPreviewed = isPreview && !isNote && !isEmpty;
  return (
    <div role="presentation" className="reply-place" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <Suspense>
        {isReady && (
          <ForPeople
            conversation={conversation}
            draft={draft}
            open={open}
            field={field}
            onReply={() => write("reply")}
          />
        )}
      </Suspense>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
        className={`relative m-3 mt-0 rounded-lg border ${isNote ? "border-note-line bg-note" : "border-edge bg-surface"} focus-within:outline-2 focus-within:outline-accent`}
      >
        <Recipients
          conversation={conversation}
          mode={mode}
          people={draft.people}
          isOpen={isNaming}
          onOpen={setNaming}
          onChange={change}
        >
          <ModeChoice mode={mode} onMove={(to) => change({ mode: to })} onChoose={write} />
        </Recipients>
        {isPreviewed && (
          <div dir="auto" className="max-h-[35vh] overflow-y-auto px-3 py-2">
            <Body text={text} format="markdown" />
          </div>
        )}
        <textarea
          hidden={isPreviewed}
          ref={field}
          {...useWording(conversation, isNote)}
          dir="auto"
          rows={2}
          maxLength={MAX_BODY}
          value={text}
          className="block w-full resize-none bg-transparent px-3 py-2 outline-none placeholder:text-muted"
          onChange={({ target: { value } }) => {
            change({ [mode]: value });
            if (!isNote) typing.typed(value);
          }}
          onKeyDown={(event) => {
            const option = sendOptionOf(event, preferences?.sendWith === "enter");
            if (!option || (isNote && option !== "send")) return;
            event.preventDefault();
            sendBy(option);
          }}
          onPaste={paste}
        />
        <ComposerFiles
          files={draft.files}
          uploads={uploads}
          onRemove={(fileId) => change({ files: draft.files.filter((file) => file.id !== fileId) })}
        />
        <Suspense>
          <BelowMail conversation={conversation} draft={draft} isReady={isReady} />
          {isNote && isReady && <Mentions field={field} workspaceId={conversation.workspaceId} mentioned={mentioned} />}
          {isReady && (
            <Helpers field={field} conversation={conversation} open={open} isNote={isNote} isPreviewed={isPreviewed} />
          )}
          {draft.other && <OtherVersion other={draft.other} open={open} />}
        </Suspense>
        {error && (
          <div className="px-3 pb-2">
            <Alert>{error}</Alert>
          </div>
        )}
        <div className="flex items-center gap-2 px-2 pb-2">
          <AttachButton picker={picker} onPick={attach} />
          {!isNote && (
            <>
              <CannedReplies
                conversationId={id}
                workspaceId={conversation.workspaceId}
                onInsert={(canned) => {
                  change({ reply: [open.now()?.reply, canned].filter(Boolean).join("\n") });
                  toField();
                }}
              />
              <PreviewButton
                isOn={isPreview}
                isDisabled={isEmpty}
                onTurn={(on) => (on ? setPreview(true) : toField())}
              />
            </>
          )}
          <p className="min-w-0 flex-1 truncate text-xs text-muted">
            {!isNote && conversation.status === "resolved" ? (
              t("composer.resolvedHint")
            ) : (
              <Saved isEmpty={!text} isUnsaved={draft.isUnsaved} isReachable={open.isReachable} />
            )}
          </p>
          {isNote ? (
            <Button type="submit" look="note" disabled={!canSend}>
              {t("composer.addNote")}
            </Button>
          ) : (
            <SendMenu list={sendList} onList={setSendList} isDisabled={!canSend} onSend={submit} />
          )}
        </div>
      </form>
    </div>
  );
}

/** The ways to send it, if there is something to send. */
function optionsFor(draft: Draft): readonly (typeof SEND_OPTIONS)[number][] {
  if (draft[draft.mode].trim() === "" && draft.files.length === 0) return [];
  return draft.mode === "note" ? SEND_OPTIONS.slice(0, 1) : SEND_OPTIONS;
}

/** What is suggested where a person answers. */
function ForPeople(props: ComponentProps<typeof Suggested>): ReactNode {
  return props.conversation.handlingMode === "human" && <Suggested {...props} />;
}

/** What helps to write, once it is loaded. */
function Helpers({
  field,
  conversation,
  open,
  isNote,
  isPreviewed,
}: {
  field: RefObject<HTMLTextAreaElement | null>;
  conversation: Conversation;
  open: OpenDraft;
  isNote: boolean;
  /** Whether the preview is in the field's place. */
  isPreviewed: boolean;
}): ReactNode {
  return (
    <>
      <Completions
        field={field}
        conversationId={conversation.id}
        workspaceId={conversation.workspaceId}
        isNote={isNote}
      />
      {!isPreviewed && <FormatBar field={field} isNote={isNote} conversation={conversation} open={open} />}
    </>
  );
}

function BelowMail({
  conversation,
  draft: { mode, people },
  isReady,
}: {
  conversation: Conversation;
  draft: Pick<Draft, "mode" | "people">;
  isReady: boolean;
}): ReactNode {
  if (mode === "note" || !isReady || !isMail(conversation)) return null;
  // The mailbox's own way of quoting is for the contact.
  const quote = people?.quote ?? (people?.to?.length ? "none" : undefined);
  return <MailFrame conversationId={conversation.id} messages={conversation.messageCount} quote={quote} />;
}

/** What the field is called, and what it says while it is empty. */
function useWording({ contactId }: Conversation, isNote: boolean): Record<"aria-label" | "placeholder", string> {
  const { t } = useTranslation();
  const { data: contact } = useQuery(contactQuery(contactId));
  const name = displayNameOf(contact);
  return isNote
    ? { "aria-label": t("composer.note"), placeholder: t("composer.placeholderNote") }
    : { "aria-label": t("composer.reply"), placeholder: t("composer.placeholderReply", { name }) };
}

/** Where the text is kept. It says nothing while it is on its way. */
function Saved({
  isEmpty,
  isUnsaved,
  isReachable,
}: {
  isEmpty: boolean;
  isUnsaved: boolean | undefined;
  isReachable: boolean;
}): ReactNode {
  const { t } = useTranslation();
  if (isEmpty || (isUnsaved && isReachable)) return "";
  return t(isUnsaved ? "composer.savedHere" : "composer.saved");
}

function AttachButton({
  picker,
  onPick,
}: {
  picker: RefObject<HTMLInputElement | null>;
  onPick: (files: Iterable<File>) => Promise<unknown>;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          void onPick([...(target.files ?? [])]);
          target.value = "";
        }}
      />
      <IconButton label={t("composer.attach")} onClick={() => picker.current?.click()}>
        <Paperclip size={16} />
      </IconButton>
    </>
  );
}

function PreviewButton({
  isOn,
  isDisabled,
  onTurn,
}: {
  isOn: boolean;
  isDisabled: boolean;
  onTurn: (on: boolean) => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <IconButton
      label={t(isOn ? "composer.edit" : "composer.preview")}
      aria-pressed={isOn}
      disabled={isDisabled}
      onClick={() => onTurn(!isOn)}
    >
      {isOn ? <Pencil size={16} /> : <Eye size={16} />}
    </IconButton>
  );
}
