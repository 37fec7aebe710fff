import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { parley, type Schemas } from "../../api/parley.js";
import { Button, type ButtonProps } from "../../ui/button.js";
import { Field, Select } from "../../ui/field.js";
import { FIRST_FIELD } from "../../ui/focus.js";
import { Submit } from "../../ui/submit.js";
import { toast } from "../../ui/toasts.js";

type NewSource = Schemas["CreateSource"];
export const SCHEDULES = ["never", "daily", "weekly"] as const;
const KINDS = ["website", "file", "help_centre"] as const;
/** What the readers read, for the dialog that picks a file. */
const FILES = ".pdf,.docx,.md,.markdown,.txt,.html,.htm";

/** Adds a source by its address, or as a file. */
export function SourceForm({ workspaceId, onDone }: { workspaceId: string; onDone: () => void }): ReactNode {
  const { t } = useTranslation();
  const [kind, setKind] = useState<NewSource["kind"]>("website");
  const create = useMutation({
    mutationFn: (source: NewSource) => parley.sources.create(workspaceId, source),
    onSuccess: onDone,
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const url = (fields.get("url") as string).trim();
    create.mutate({ kind, url, schedule: fields.get("schedule") as NewSource["schedule"] });
  };
  // It is said at its field, which has another name there.
  const sentence = create.error ? failureOf(create.error).sentence.replace(/^url: /, "") : undefined;
  return (
    <form
      onSubmit={submit}
      className="flex flex-col gap-4 rounded-lg border border-line p-3"
      aria-label={t("knowledgeSources.add")}
    >
      <Select
        label={t("knowledgeSources.kindLabel")}
        value={kind}
        onChange={({ target }) => setKind(target.value as NewSource["kind"])}
        {...FIRST_FIELD}
      >
        {KINDS.map((one) => (
          <option key={one} value={one}>
            {t(`knowledgeSources.kind.${one}`)}
          </option>
        ))}
      </Select>
      {kind !== "file" && (
        <>
          <Field
            label={t("knowledgeSources.address")}
            name="url"
            type="url"
            required
            maxLength={2000}
            placeholder="https://example.com/help/"
            hint={t(`knowledgeSources.addressHint.${kind}`)}
            error={sentence}
          />
          <Select label={t("knowledgeSources.schedule")} name="schedule" defaultValue="weekly">
            {SCHEDULES.map((one) => (
              <option key={one} value={one}>
                {t(`knowledgeSources.schedules.${one}`)}
              </option>
            ))}
          </Select>
        </>
      )}
      {kind === "file" && <p className="text-sm text-muted">{t("knowledgeSources.fileHint")}</p>}
      {kind === "file" && sentence !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {sentence}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {kind !== "file" && <Submit isBusy={create.isPending}>{t("knowledgeSources.add")}</Submit>}
        {kind !== "website" && (
          <UploadButton
            look={kind === "file" ? "primary" : "plain"}
            label={t(kind === "file" ? "knowledgeSources.pick" : "knowledgeSources.pickExport")}
            accept={kind === "file" ? FILES : ".json"}
            disabled={create.isPending}
            onUploaded={(attachmentId) => create.mutate({ kind, attachmentId })}
          />
        )}
        <Button onClick={onDone}>{t("common.cancel")}</Button>
      </div>
    </form>
  );
}

/** Picks a file and uploads it. */
export function UploadButton({
  label,
  named,
  accept = `${FILES},.json`,
  disabled,
  onUploaded,
  ...rest
}: Pick<ButtonProps, "look" | "small"> & {
  label: string;
  named?: string;
  accept?: string;
  disabled: boolean;
  onUploaded: (attachmentId: string) => void;
}): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const upload = useMutation({
    mutationFn: (file: File) => {
      const form = new FormData();
      form.set("file", file);
      return parley.attachments.upload(form);
    },
    onSuccess: ({ id }) => onUploaded(id),
    onError: (failure) => toast(failureOf(failure).sentence, { failed: true }),
  });
  return (
    <>
      <Button
        {...rest}
        aria-label={named}
        disabled={disabled || upload.isPending}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        aria-label={named ?? label}
        onChange={({ target }) => {
          const file = target.files?.[0];
          target.value = "";
          if (file) upload.mutate(file);
        }}
      />
    </>
  );
}
