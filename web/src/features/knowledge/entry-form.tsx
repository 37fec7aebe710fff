import { ConflictError } from "@parley/sdk/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import type { Schemas } from "../../api/parley.js";
import { Button } from "../../ui/button.js";
import { Alert, Field, Select } from "../../ui/field.js";
import { Submit } from "../../ui/submit.js";
import { toast } from "../../ui/toasts.js";
import { useUnsavedInput } from "../../ui/unsaved.js";
import type { Entry, Kind, NewStatus, Written } from "./kinds.js";
import type { Problems } from "./form.js";
import { type Begun, KbFields, readKb } from "./kb-fields.js";
import { Overtaken } from "./overtaken.js";
import { PolicyFields, readPolicy } from "./policy-fields.js";

/** A new entry, a change of one that waits, or a new one in place of one that is in use. */
export type Writing<E extends Entry> = { mode: "create"; begun?: Begun } | { mode: "edit" | "replace"; entry: E };

interface Props<E extends Entry> {
  kind: Kind<E>;
  workspace: Schemas["WorkspaceSummary"];
  writing: Writing<E>;
  /** @param saved what was saved, and in which list it is. Missing if the member gave up. */
  onDone: (saved?: { id: string; show: NewStatus }) => void;
}

/** What the form changes. What nobody touched is not sent, so that a colleague's change of it stays. */
const changesOf = <E extends Entry>(entry: E, written: Written<E>): Partial<Written<E>> =>
  Object.fromEntries(
    Object.entries(written).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(entry[field as keyof E]),
    ),
  ) as Partial<Written<E>>;

export function EntryForm<E extends Entry>({ kind, workspace, writing, onDone }: Props<E>): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [problems, setProblems] = useState<Problems>({});
  const entry = writing.mode === "create" ? undefined : writing.entry;
  /** The entry as a colleague has edited it meanwhile. */
  const [now, setNow] = useState<E>();

  const edit = async (before: E, written: Written<E>, reason: string | null): Promise<void> => {
    const { id, version } = now ?? before;
    try {
      const saved = await kind.update(id, changesOf(before, written), reason, version);
      // The review begins with it, and not with what was before: that would look as if somebody else had edited it.
      client.setQueriesData<E[]>({ queryKey: [kind.name, "pending"] }, (entries) =>
        entries?.map((one) => (one.id === id ? saved : one)),
      );
    } catch (error) {
      if (error instanceof ConflictError) {
        const newest = await kind.get(id, {});
        if (newest.version > version && newest.status === "pending") setNow(newest);
      }
      throw error;
    }
  };
  const save = useMutation({
    mutationFn: async ({ written, reason }: { written: Written<E>; reason: string | null }) => {
      if (writing.mode === "edit") {
        await edit(writing.entry, written, reason);
        return { id: writing.entry.id, similar: 0 };
      }
      const made = await kind.create(workspace.id, written);
      if (writing.mode === "create") return made;
      await kind.archive(writing.entry.id).catch((error: unknown) => {
        toast(t("entries.replaceHalf", { reason: failureOf(error).sentence }), { failed: true });
      });
      return { ...made, similar: 0 };
    },
    onSuccess: ({ id, similar }, { written }) => {
      toast(
        similar
          ? t("entries.similarFound", { count: similar })
          : t("entries.saved", { name: "question" in written ? written.question : written.title }),
      );
      onDone({ id, show: writing.mode === "edit" ? "pending" : (written.status ?? "approved") });
    },
    onSettled: () => void client.invalidateQueries({ queryKey: [kind.name] }),
  });

  const { onInput, question } = useUnsavedInput(save.isSuccess);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const found: Problems = {};
    const read = kind.name === "knowledge" ? readKb(form, found, t) : readPolicy(form, found, t);
    setProblems(found);
    const [first] = Object.keys(found);
    if (first !== undefined) {
      event.currentTarget.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
      return;
    }
    const until = form.get("validUntil") as string;
    const endBefore = entry?.validUntil ?? null;
    const written = {
      ...read,
      // In another time zone, the end of that day is another time.
      validUntil: until === dayIn(endBefore) ? endBefore : until ? new Date(`${until}T23:59:59`).toISOString() : null,
      ...(writing.mode !== "edit" && { status: (form.get("status") ?? "approved") as NewStatus }),
      ...(writing.mode === "replace" && { evidence: writing.entry.evidence }),
    } as Written<E>;
    const reason = ((form.get("reason") as string | null) ?? "").trim() || null;
    save.mutate({ written, reason });
  };
  const title =
    entry === undefined
      ? t(`${kind.name}.create`)
      : t(writing.mode === "edit" ? "entries.editTitle" : "entries.replaceTitle", { name: kind.titleOf(entry) });
  return (
    <form onSubmit={submit} onInput={onInput} noValidate aria-label={title} className="flex max-w-2xl flex-col gap-5">
      <h2 dir="auto" className="text-lg font-semibold break-words">
        {title}
      </h2>
      {writing.mode === "replace" && <p className="text-muted">{t(`${kind.name}.replaceExplain`)}</p>}
      {kind.name === "knowledge" ? (
        <KbFields
          entry={entry as Schemas["KbEntry"] | undefined}
          begun={writing.mode === "create" ? writing.begun : undefined}
          language={writing.mode === "edit" ? undefined : workspace.primaryLanguage}
          problems={problems}
        />
      ) : (
        <PolicyFields entry={entry as Schemas["PolicyEntry"] | undefined} problems={problems} />
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label={t("entries.validUntil")}
          name="validUntil"
          type="date"
          defaultValue={dayIn(entry?.validUntil ?? null)}
        />
        {writing.mode === "create" && (
          <Select label={t("entries.state")} name="status">
            <option value="approved">{t("entries.stateApproved")}</option>
            <option value="pending">{t("entries.statePending")}</option>
          </Select>
        )}
      </div>
      {writing.mode === "edit" && <Field label={t("entries.changeReason")} name="reason" maxLength={2000} />}
      {entry && now && <Overtaken kind={kind} before={entry} now={now} hint={t("entries.overtakenHint")} />}
      {save.error && !(now && save.error instanceof ConflictError) && <Alert>{failureOf(save.error).sentence}</Alert>}
      <div className="flex flex-wrap gap-2">
        <Submit isBusy={save.isPending}>{t("common.save")}</Submit>
        <Button onClick={() => onDone()}>{t("common.cancel")}</Button>
      </div>
      {question}
    </form>
  );
}

/** The day of a time in the member's zone, as date fields have it. */
function dayIn(at: string | null): string {
  if (at === null) return "";
  const day = new Date(at);
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
