import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Paperclip, Trash2, X } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { LISTS } from "../../api/lists.js";
import { newKey } from "../../api/once.js";
import { type Conversation, parley } from "../../api/parley.js";
import { workspacesQuery } from "../../api/queries.js";
import { nameOfKey } from "../../keyboard/keys.js";
import { keysOf } from "../../keyboard/shortcuts.js";
import { isLive } from "../../live/live.js";
import { preferencesQuery } from "../../preferences/preferences.js";
import { useMember } from "../../session/session.js";
import { Button, IconButton } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Alert } from "../../ui/field.js";
import { toast } from "../../ui/toasts.js";
import { wholeContactQuery } from "../contacts/queries.js";
import { channelsQuery } from "../settings/channels/queries.js";
import { ComposerFiles } from "../thread/composer-files.js";
import { sendOptionOf } from "../thread/send-options.js";
import { useUploads } from "../thread/uploads.js";
import { channelsTo, LABEL } from "./addresses.js";
import { type ComposeDraft, hasText, type To, useComposeDraft } from "./draft.js";
import { ToField, toOf } from "./to-field.js";

const MAX_SUBJECT = 500;
const MAX_BODY = 100_000;
const ROW = "flex min-h-10 items-center gap-2 border-b border-line px-4";

/** Where a member writes to somebody first: to whom, from which channel, and what. */
export default function Compose({ contactId, onClose }: { contactId?: string; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <Dialog open bare wide onClose={onClose} title={t("compose.title")}>
      <Form contactId={contactId} onClose={onClose} />
    </Dialog>
  );
}

function Form({ contactId, onClose }: { contactId: string | undefined; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const me = useMember();
  const [draft, change, discard] = useComposeDraft(me.id, contactId);
  const { data: preferences } = useQuery(preferencesQuery());
  const { data: contact } = useQuery({ ...wholeContactQuery(contactId ?? ""), enabled: contactId !== undefined });
  const begunWith = contact ? toOf(contact) : undefined;
  const to = draft.to === undefined ? begunWith : (draft.to ?? undefined);
  const from = useChannels(draft, to);
  const { workspaceId, channel } = from;
  const [uploadError, setUploadError] = useState<string>();
  const { uploads, attach, forget } = useUploads(
    (file) => change(({ files }) => ({ files: [...files, file] })),
    setUploadError,
  );
  const attachAll = (files: Iterable<File>): void => {
    setUploadError(undefined);
    void attach(files);
  };
  const toField = useRef<HTMLInputElement>(null);
  const subjectField = useRef<HTMLInputElement>(null);
  const textField = useRef<HTMLTextAreaElement>(null);
  const hasTo = to !== undefined;
  const hasSubject = channel !== undefined && channel.type !== "sms";
  // What is to be written next. The dialog would do it a frame later, and the first letter would be lost.
  useEffect(() => {
    if (!hasTo) toField.current?.focus();
    else if (document.activeElement?.tagName !== "TEXTAREA") (subjectField.current ?? textField.current)?.focus();
  }, [hasTo]);
  const { send, error, isSending } = useSend({
    draft,
    to,
    workspaceId,
    channelId: channel?.id,
    subject: hasSubject ? draft.subject.trim() : "",
    onAttempt: change,
    onMade: (made) => change(() => ({ to: made })),
    onSent: ({ id }) => {
      discard();
      onClose();
      void navigate({ to: "/inbox/$view/$conversationId", params: { view: "all", conversationId: id } });
    },
  });
  const canSend = hasTo && channel !== undefined && draft.text.trim() !== "" && uploads.length === 0 && !isSending;
  const submit = (event?: FormEvent): void => {
    event?.preventDefault();
    if (canSend) send();
  };
  return (
    <form onSubmit={submit} className="flex min-h-0 flex-1 flex-col">
      {/* From each field. Enter alone sends only from the text. */}
      <div
        role="presentation"
        className="contents"
        onKeyDown={(event) => {
          if (event.defaultPrevented || sendOptionOf(event, false) !== "send") return;
          event.preventDefault();
          submit();
        }}
      >
        <Head
          onClose={onClose}
          onDiscard={
            hasText(draft)
              ? () => {
                  forget();
                  discard();
                  toField.current?.focus();
                }
              : undefined
          }
        />
        <ToField to={to} field={toField} onChange={(next) => change(() => ({ to: next ?? null }))} className={ROW} />
        <From {...from} to={to} onChange={(part) => change(() => part)} />
        {hasSubject && (
          <label className={ROW}>
            <span className={LABEL}>{t("compose.subject")}</span>
            <input
              ref={subjectField}
              dir="auto"
              maxLength={MAX_SUBJECT}
              value={draft.subject}
              autoComplete="off"
              className="h-9 min-w-0 flex-1 bg-transparent font-medium outline-none"
              onChange={({ target: { value } }) => change(() => ({ subject: value }))}
              onKeyDown={(event) => {
                if (event.key !== "Enter" || event.metaKey || event.ctrlKey) return;
                event.preventDefault();
                textField.current?.focus();
              }}
            />
          </label>
        )}
        <div className="min-h-0 flex-1 overflow-y-auto">
          <textarea
            ref={textField}
            aria-label={t("compose.text")}
            placeholder={t("compose.placeholder")}
            dir="auto"
            maxLength={MAX_BODY}
            value={draft.text}
            className="block field-sizing-content min-h-40 w-full resize-none bg-transparent px-4 py-3 outline-none placeholder:text-muted"
            onChange={({ target: { value } }) => change(() => ({ text: value }))}
            onPaste={(event) => {
              const { files } = event.clipboardData;
              if (!files.length) return;
              event.preventDefault();
              attachAll([...files]);
            }}
            onKeyDown={(event) => {
              if (sendOptionOf(event, preferences?.sendWith === "enter") !== "send") return;
              event.preventDefault();
              submit();
            }}
          />
        </div>
        <ComposerFiles
          files={draft.files}
          uploads={uploads}
          onRemove={(fileId) => change(({ files }) => ({ files: files.filter(({ id }) => id !== fileId) }))}
        />
        {(error ?? uploadError) !== undefined && (
          <div className="px-4 pb-2">
            <Alert>{error ?? uploadError}</Alert>
          </div>
        )}
        <Foot isKept={hasText(draft)} canSend={canSend} isSending={isSending} onPick={attachAll} />
      </div>
    </form>
  );
}

function Head({ onClose, onDiscard }: { onClose: () => void; onDiscard: (() => void) | undefined }): ReactNode {
  const { t } = useTranslation();
  return (
    <div className="flex items-center gap-1 border-b border-line py-2 ps-4 pe-2">
      <p aria-hidden="true" className="min-w-0 flex-1 truncate text-lg font-semibold">
        {t("compose.title")}
      </p>
      {onDiscard && (
        <IconButton label={t("compose.discard")} onClick={onDiscard}>
          <Trash2 size={16} />
        </IconButton>
      )}
      <IconButton label={t("common.close")} onClick={onClose}>
        <X size={16} />
      </IconButton>
    </div>
  );
}

/** The workspace and the channel that it is written from. */
function From({
  workspaces,
  workspaceId,
  channels,
  channel,
  to,
  onChange,
}: ReturnType<typeof useChannels> & {
  to: To | undefined;
  onChange: (part: Partial<ComposeDraft>) => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      {workspaces.length > 1 && (
        <Choice
          label={t("compose.workspace")}
          value={workspaceId}
          choices={workspaces}
          onChoose={(id) => onChange({ workspaceId: id })}
        />
      )}
      {channels && channels.length > 0 && (
        <Choice
          label={t("compose.channel")}
          value={channel?.id}
          choices={channels.map(({ id, name, address, type }) => ({
            id,
            name: [...new Set([t(`channel.${type}`), address ?? name])].join(" · "),
          }))}
          onChoose={(id) => onChange({ channelId: id })}
        />
      )}
      {channels?.length === 0 && (
        <p role="status" className="border-b border-line bg-note px-4 py-2 text-sm text-note-text">
          {to ? t("compose.noChannel", { name: to.name }) : t("compose.noChannelYet")}
        </p>
      )}
    </>
  );
}

function Foot({
  isKept,
  canSend,
  isSending,
  onPick,
}: {
  isKept: boolean;
  canSend: boolean;
  isSending: boolean;
  onPick: (files: Iterable<File>) => void;
}): ReactNode {
  const { t } = useTranslation();
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div className="flex items-center gap-2 border-t border-line px-2 py-2">
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          onPick([...(target.files ?? [])]);
          target.value = "";
        }}
      />
      <IconButton label={t("composer.attach")} onClick={() => picker.current?.click()}>
        <Paperclip size={16} />
      </IconButton>
      <p className="min-w-0 flex-1 truncate text-xs text-muted">{isKept && t("compose.kept")}</p>
      <Button
        type="submit"
        look="primary"
        disabled={!canSend}
        title={keysOf("send").map(nameOfKey).join(" ")}
        className="pointer-coarse:min-w-24"
      >
        {t(isSending ? "compose.sending" : "compose.send")}
      </Button>
    </div>
  );
}

function Choice({
  label,
  value,
  choices,
  onChoose,
}: {
  label: string;
  value: string | undefined;
  choices: readonly { id: string; name: string }[];
  onChoose: (id: string) => void;
}): ReactNode {
  return (
    <label className={ROW}>
      <span className={LABEL}>{label}</span>
      <select
        value={value}
        onChange={({ target }) => onChoose(target.value)}
        className="-ms-1 h-9 min-w-0 flex-1 truncate bg-transparent outline-none"
      >
        {choices.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Where it can be written from. What the draft names counts while it is possible. */
function useChannels({ workspaceId: wantedWorkspace, channelId }: ComposeDraft, to: To | undefined) {
  const { data: all = [] } = useQuery(workspacesQuery());
  const workspaces = all.filter(({ status }) => status === "active");
  const workspaceId = (workspaces.find(({ id }) => id === wantedWorkspace) ?? workspaces[0])?.id;
  const { data } = useQuery({ ...channelsQuery(workspaceId ?? ""), enabled: workspaceId !== undefined });
  const channels = data && channelsTo(data, to);
  return {
    workspaces,
    workspaceId,
    /** Missing until they were read. */
    channels,
    channel: channels?.find(({ id }) => id === channelId) ?? channels?.[0],
  };
}

/** Starts the conversation. Pressed again after a broken connection, it is still one. */
function useSend({
  draft,
  to,
  workspaceId = "",
  channelId,
  subject,
  onAttempt,
  onMade,
  onSent,
}: {
  draft: ComposeDraft;
  to: To | undefined;
  workspaceId: string | undefined;
  channelId: string | undefined;
  subject: string;
  /** It is being sent. */
  onAttempt: (change: (draft: ComposeDraft) => Pick<ComposeDraft, "attempts">) => void;
  /** Somebody new is a contact from now on. */
  onMade: (to: To) => void;
  onSent: (conversation: Conversation) => void;
}): { send: () => void; error: string | undefined; isSending: boolean } {
  const { t } = useTranslation();
  const client = useQueryClient();
  /** What each content was sent under. Another content needs another key. */
  const keyOf = (content: unknown): string => {
    const text = JSON.stringify(content);
    const known = draft.attempts?.find(([sent]) => sent === text);
    const key = known?.[1] ?? newKey();
    // That of the contact, and that of the conversation.
    if (!known) onAttempt((before) => ({ attempts: [...(before.attempts ?? []).slice(-1), [text, key]] }));
    return key;
  };
  const sending = useMutation({
    mutationFn: async (): Promise<Conversation> => {
      let { id } = to!;
      if (id === undefined) {
        const contact = { emails: to!.emails, phones: to!.phones };
        ({ id } = await parley.contacts.create(contact, { idempotencyKey: keyOf(contact) }));
        onMade({ ...to!, id });
        void client.invalidateQueries({ queryKey: ["contacts"] });
      }
      const body = {
        workspaceId,
        contactId: id,
        channelId,
        body: draft.text.trim(),
        bodyFormat: "markdown" as const,
        ...(subject && { subject }),
        ...(draft.files.length > 0 && { attachmentIds: draft.files.map((file) => file.id) }),
      };
      return await parley.conversations.compose(body, { idempotencyKey: keyOf(body) });
    },
    onSuccess: (conversation) => {
      toast(t("compose.sent", { name: to!.name }));
      void client.invalidateQueries({ queryKey: ["conversations-of", conversation.contactId] });
      if (!isLive()) for (const queryKey of [LISTS, ["counts"]]) void client.invalidateQueries({ queryKey });
      onSent(conversation);
    },
  });
  return {
    send: () => sending.mutate(),
    error: sending.error ? failureOf(sending.error).sentence : undefined,
    isSending: sending.isPending,
  };
}
