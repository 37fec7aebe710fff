import { CannedReplyVariable } from "@parley/sdk/enums";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useRef } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { parley, type Schemas } from "../../api/parley.js";
import { manages } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import { Button } from "../../ui/button.js";
import { Alert, Field, Select } from "../../ui/field.js";
import { Submit } from "../../ui/submit.js";
import { TextArea } from "../../ui/text-area.js";
import { useUnsavedInput } from "../../ui/unsaved.js";

const EXAMPLE = "{{contact.firstName | there}}";

/** A canned reply: what it is found by, and its text with variables. For whom it is stays as it was made. */
export function CannedReplyForm({
  reply,
  workspaces,
  onSaved,
  onCancel,
}: {
  /** The one to change; undefined for a new one. */
  reply: Schemas["CannedReply"] | undefined;
  workspaces: readonly { id: string; name: string }[];
  onSaved: () => void;
  onCancel: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const me = useMember();
  const form = useRef<HTMLFormElement>(null);
  const save = useMutation({
    mutationFn: async ({ workspaceId, ...texts }: Schemas["CreateCannedReply"]): Promise<unknown> =>
      reply ? parley.cannedReplies.update(reply.id, texts) : parley.cannedReplies.create({ workspaceId, ...texts }),
    onSuccess: onSaved,
  });
  const { onInput, question } = useUnsavedInput(save.isSuccess);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const of = (name: string): string => ((new FormData(event.currentTarget).get(name) as string | null) ?? "").trim();
    save.mutate({
      shortcut: of("shortcut"),
      title: of("title"),
      body: of("body"),
      workspaceId: of("workspaceId") || null,
    });
  };
  const insert = (variable: string): void => {
    const field = form.current?.elements.namedItem("body") as HTMLTextAreaElement;
    field.focus();
    field.setRangeText(`{{${variable}}}`, field.selectionStart, field.selectionEnd, "end");
  };
  return (
    <form ref={form} onSubmit={submit} onInput={onInput} className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t("cannedReplies.title")} name="title" defaultValue={reply?.title} required maxLength={200} />
        <Field
          label={t("cannedReplies.shortcut")}
          hint={t("cannedReplies.shortcutHint")}
          name="shortcut"
          defaultValue={reply?.shortcut}
          required
          maxLength={40}
          autoComplete="off"
          autoCapitalize="none"
        />
      </div>
      {!reply && (
        <Select label={t("cannedReplies.workspace")} name="workspaceId">
          {manages(me) && <option value="">{t("cannedReplies.allWorkspaces")}</option>}
          {workspaces.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
      <TextArea
        label={t("cannedReplies.body")}
        hint={t("cannedReplies.bodyHint", { example: EXAMPLE })}
        name="body"
        defaultValue={reply?.body}
        required
        rows={6}
        maxLength={10_000}
      />
      <div role="group" aria-label={t("cannedReplies.variables")} className="flex flex-wrap gap-1.5">
        {CannedReplyVariable.map((variable) => (
          <button
            key={variable}
            type="button"
            title={t(`cannedReplies.variable.${variable}`)}
            onClick={() => insert(variable)}
            className="rounded-md border border-edge/50 px-1.5 py-0.5 font-mono text-xs hover:bg-hover"
          >
            {variable}
          </button>
        ))}
      </div>
      {save.error && <Alert>{failureOf(save.error).sentence}</Alert>}
      <div className="flex flex-wrap gap-2">
        <Submit isBusy={save.isPending}>{t("common.save")}</Submit>
        <Button onClick={onCancel}>{t("common.cancel")}</Button>
      </div>
      {question}
    </form>
  );
}
