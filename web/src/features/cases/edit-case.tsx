import { type CaseStatus, Priority } from "@parley/sdk/enums";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { parley, type Schemas } from "../../api/parley.js";
import { membersQuery } from "../../api/queries.js";
import { localTime } from "../../ui/dates.js";
import { Alert, Field, Select } from "../../ui/field.js";
import { Save } from "../../ui/save.js";
import { toast } from "../../ui/toasts.js";
import { CaseFields, valuesOf } from "./case-fields.js";
import { type Case, caseChanged, type CaseType, nextStates } from "./queries.js";

const dueOf = (text: string): string | null => (text ? new Date(text).toISOString() : null);

/** What a form changes. What nobody touched is not sent, so that a colleague's change of it stays. */
function changesOf(one: Case, type: CaseType | null, form: FormData): Schemas["UpdateCase"] {
  const text = (name: string): string => (form.get(name) as string).trim();
  const due = text("due");
  const wanted = {
    title: text("title"),
    status: text("status") as CaseStatus,
    priority: text("priority") as Priority,
    assigneeId: text("assignee") || null,
    dueAt: one.dueAt !== null && due === localTime(one.dueAt) ? one.dueAt : dueOf(due),
  };
  const changes = Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => value !== one[name as keyof typeof wanted]),
  );
  const fields = Object.fromEntries(
    Object.entries(type ? valuesOf(type, form) : {}).filter(([key, value]) => value !== (one.fields[key] ?? null)),
  );
  return { ...changes, ...(Object.keys(fields).length > 0 && { fields }) };
}

/** The form with what can be changed of a case. */
export function EditCase({ one: newest, type }: { one: Case; type: CaseType | null }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data: members } = useQuery(membersQuery());
  const form = useRef<HTMLFormElement>(null);
  // The case that the editing began with. It may change meanwhile; what was typed stays.
  const [edited, setEdited] = useState<Case>();
  const one = edited ?? newest;
  const save = useMutation({
    mutationFn: (change: Schemas["UpdateCase"]) => parley.cases.update(one.id, change),
    onSuccess: (changed) => {
      setEdited(undefined);
      caseChanged(client, changed);
      toast(t("cases.saved"));
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const change = changesOf(one, type, new FormData(event.currentTarget));
    if (Object.keys(change).length > 0) save.mutate(change);
    else setEdited(undefined);
  };
  // Observers and members for billing cannot be assigned.
  const assignable = [...(members?.values() ?? [])].filter(
    ({ id, role }) => id === one.assigneeId || role === "owner" || role === "admin" || role === "agent",
  );
  return (
    <form ref={form} onSubmit={submit} onChange={() => setEdited(one)} className="flex flex-col gap-4">
      <div key={one.updatedAt} className="flex flex-col gap-4">
        <Field
          label={t("cases.title")}
          name="title"
          defaultValue={one.title}
          // Of a case whose contact was erased, the title stays empty.
          required={one.title !== ""}
          readOnly={one.title === ""}
          maxLength={500}
          dir="auto"
          autoComplete="off"
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <Select label={t("cases.statusLabel")} name="status" defaultValue={one.status}>
            {nextStates(one.status).map((status) => (
              <option key={status} value={status}>
                {t(`cases.status.${status}`)}
              </option>
            ))}
          </Select>
          <Select label={t("cases.priority")} name="priority" defaultValue={one.priority}>
            {Priority.map((priority) => (
              <option key={priority} value={priority}>
                {t(`priority.${priority}`)}
              </option>
            ))}
          </Select>
          <Select
            key={members ? "members" : "none"}
            label={t("cases.assignee")}
            name="assignee"
            defaultValue={one.assigneeId ?? ""}
          >
            <option value="">{t("cases.nobody")}</option>
            {one.assigneeId !== null && !members && <option value={one.assigneeId}>{t("common.somebody")}</option>}
            {assignable.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
          <Field
            label={t("cases.due")}
            name="due"
            type="datetime-local"
            defaultValue={one.dueAt === null ? "" : localTime(one.dueAt)}
          />
        </div>
        {type && <CaseFields type={type} values={one.fields} />}
      </div>
      {save.error && <Alert>{failureOf(save.error).sentence}</Alert>}
      <Save
        isEdited={edited !== undefined}
        isSaving={save.isPending}
        onDiscard={() => {
          form.current?.reset();
          save.reset();
          setEdited(undefined);
        }}
      />
    </form>
  );
}
