import { Role } from "@parley/sdk/enums";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { parley, type Schemas } from "../../api/parley.js";
import { workspacesQuery } from "../../api/queries.js";
import { type Member, useMember } from "../../session/session.js";
import { Button } from "../../ui/button.js";
import { Alert, Field, Select } from "../../ui/field.js";
import { FIRST_FIELD } from "../../ui/focus.js";
import { Submit } from "../../ui/submit.js";
import { toast } from "../../ui/toasts.js";
import { useUnsavedInput } from "../../ui/unsaved.js";

/** Invites a member, or changes what one may do and where. */
export function MemberForm({
  member,
  withRecentSignIn,
  onDone,
  children,
}: {
  member: Member | undefined;
  withRecentSignIn: <T>(run: () => Promise<T>) => Promise<T>;
  onDone: () => void;
  children: ReactNode;
}): ReactNode {
  const { t } = useTranslation();
  const me = useMember();
  const { data: workspaces } = useQuery(workspacesQuery());
  const [role, setRole] = useState<Role>(member?.role ?? "agent");
  const save = useMutation({
    mutationFn: (body: Schemas["CreateMember"]) =>
      withRecentSignIn(() => {
        if (!member) return parley.members.create(body);
        const { email: _, ...change } = body;
        return parley.members.update(member.id, change);
      }),
    onSuccess: (_, { email }) => {
      toast(member ? t("settings.saved") : t("members.invited", { email }));
      onDone();
    },
  });
  const { onInput, question } = useUnsavedInput(save.isSuccess);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    save.mutate({
      email: ((form.get("email") as string | null) ?? "").trim(),
      name: (form.get("name") as string).trim(),
      role,
      ...(assigned && { workspaceIds: form.getAll("workspaces") as string[] }),
    });
  };
  const assigned = role === "agent" || role === "observer";
  return (
    <form onSubmit={submit} onInput={onInput} className="flex max-w-md flex-col gap-5">
      <h2 className="text-lg font-semibold">{member ? t("members.editNamed", member) : t("members.invite")}</h2>
      {!member && (
        <Field
          label={t("members.email")}
          hint={t("members.emailHint")}
          name="email"
          type="email"
          required
          autoComplete="off"
          {...FIRST_FIELD}
        />
      )}
      <Field
        label={t("members.name")}
        name="name"
        defaultValue={member?.name}
        required
        maxLength={200}
        autoComplete="off"
        {...(member !== undefined && FIRST_FIELD)}
      />
      <div className="flex flex-col gap-1">
        <Select label={t("members.role")} value={role} onChange={({ target }) => setRole(target.value as Role)}>
          {Role.filter((one) => one !== "owner" || me.role === "owner").map((one) => (
            <option key={one} value={one}>
              {t(`role.${one}`)}
            </option>
          ))}
        </Select>
        <p className="text-sm text-muted">{t(`roleMeaning.${role}`)}</p>
      </div>
      {assigned && (
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 font-medium">{t("members.workspaces")}</legend>
          {workspaces?.map(({ id, name }) => (
            <label key={id} className="flex items-center gap-2">
              <input
                type="checkbox"
                name="workspaces"
                value={id}
                defaultChecked={member ? member.workspaceIds.includes(id) : workspaces.length === 1}
                className="size-4 shrink-0 accent-accent"
              />
              {name}
            </label>
          ))}
        </fieldset>
      )}
      {save.error && <Alert>{failureOf(save.error).sentence}</Alert>}
      <div className="flex flex-wrap gap-2">
        <Submit isBusy={save.isPending}>{t(member ? "common.save" : "members.send")}</Submit>
        <Button onClick={onDone}>{t("common.cancel")}</Button>
      </div>
      {children}
      {question}
    </form>
  );
}
