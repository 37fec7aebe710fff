import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { useOnce } from "../../api/once.js";
import { type Message, parley, type Schemas } from "../../api/parley.js";
import { Button } from "../../ui/button.js";
import { Check } from "../../ui/check.js";
import { Dialog } from "../../ui/dialog.js";
import { Alert } from "../../ui/field.js";
import { useFirstFocus } from "../../ui/focus.js";
import { TextArea } from "../../ui/text-area.js";
import { toast } from "../../ui/toasts.js";
import { AddressField } from "./address-field.js";

const MAX_BODY = 100_000;

/** Whether the file is the mail as it came. It is not forwarded. */
const isOriginal = ({ fileName, contentType }: Schemas["Attachment"]): boolean =>
  fileName === "original.eml" && contentType === "message/rfc822";

/** Sends a message on to a third person. */
export default function Forward({ message, onClose }: { message: Message; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const field = useFirstFocus<HTMLInputElement>();
  const [to, setTo] = useState<string[]>([]);
  const [cc, setCc] = useState<string[]>([]);
  const [body, setBody] = useState("");
  const [withFiles, setWithFiles] = useState(true);
  const files = message.attachments.filter((file) => !isOriginal(file));
  const [intoConversation, setIntoConversation] = useState(false);
  const once = useOnce();
  const forward = useMutation({
    mutationFn: () => {
      const content = {
        to,
        cc,
        ...(body.trim() && { body: body.trim() }),
        attachments: withFiles && files.length > 0,
        answers: intoConversation ? ("conversation" as const) : ("note" as const),
      };
      return parley.conversations.forwardMessage(message.id, content, once(content)).then();
    },
    onSuccess: () => {
      toast(t("participants.forwarded", { people: to.join(", ") }));
      void client.invalidateQueries({ queryKey: ["thread", message.conversationId] });
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={t("messageTools.forward")}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (to.length) forward.mutate();
        }}
      >
        <div className="flex flex-col gap-1 rounded-md border border-edge px-3 py-1 focus-within:outline-2 focus-within:outline-accent">
          <AddressField
            label={t("people.to")}
            field={field}
            addresses={to}
            onChange={setTo}
            disabled={forward.isPending}
          />
          <AddressField label={t("people.cc")} addresses={cc} onChange={setCc} disabled={forward.isPending} />
        </div>
        <TextArea
          label={t("participants.comment")}
          dir="auto"
          maxLength={MAX_BODY}
          value={body}
          onChange={({ target: { value } }) => setBody(value)}
        />
        <blockquote dir="auto" className="line-clamp-3 border-s-2 border-line ps-3 text-sm text-muted">
          {message.body}
        </blockquote>
        {files.length > 0 && (
          <Check
            label={t("participants.withFiles", { count: files.length })}
            checked={withFiles}
            onChange={({ target }) => setWithFiles(target.checked)}
          />
        )}
        <Check
          label={t("participants.intoConversation")}
          hint={t("participants.intoConversationHint")}
          checked={intoConversation}
          onChange={({ target }) => setIntoConversation(target.checked)}
        />
        {forward.error && <Alert>{failureOf(forward.error).sentence}</Alert>}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button type="submit" look="primary" disabled={!to.length || forward.isPending}>
            {t("participants.send")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
