import { ConflictError } from "@parley/sdk/core";
import { Presence } from "@parley/sdk/enums";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { parley } from "../../api/parley.js";
import { membersQuery } from "../../api/queries.js";
import { manages } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import { Button } from "../../ui/button.js";
import { Alert, Field, Select } from "../../ui/field.js";
import { Page } from "../../ui/page.js";
import { toast } from "../../ui/toasts.js";
import { useUnsaved } from "../../ui/unsaved.js";
import { OwnSignature } from "./signature.js";
import { choosePresence } from "../../live/presence.js";
import { useRecentSignIn } from "../sign-in/recent-sign-in.js";

/** Who you are. */
export function Profile(): ReactNode {
  const { t } = useTranslation();
  const me = useMember();
  const client = useQueryClient();
  const { data: members } = useQuery(membersQuery());
  const self = members?.get(me.id) ?? me;
  const { withRecentSignIn, dialog } = useRecentSignIn();
  const readAgain = (): void => void client.invalidateQueries({ queryKey: ["members"] });
  const failed = (error: unknown): void =>
    toast(t("failure.notSaved", { reason: failureOf(error).sentence }), { failed: true });

  const presence = useMutation({
    mutationFn: (to: Presence) => {
      choosePresence(me.id, to);
      return parley.me.setPresence({ presence: to });
    },
    onSettled: readAgain,
    onError: failed,
  });
  const rename = useMutation({
    mutationFn: (name: string) => withRecentSignIn(() => parley.members.update(me.id, { name })),
    onSuccess: () => toast(t("settings.saved")),
    onSettled: readAgain,
  });
  const [name = self.name, setTyped] = useState<string>();
  const isEdited = name.trim() !== self.name;
  const question = useUnsaved(isEdited);
  const prove = useMutation({
    mutationFn: () => parley.me.sendEmailProof(),
    onSuccess: () => toast(t("profile.proofSent", { email: me.email })),
    onError: (error) =>
      error instanceof ConflictError ? toast(t("profile.proven")) : toast(failureOf(error).sentence, { failed: true }),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (name.trim() && isEdited) rename.mutate(name.trim());
  };
  return (
    <Page title={t("settings.section.profile")}>
      <div className="flex max-w-md flex-col gap-6">
        {manages(me) ? (
          <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
            <Field
              label={t("members.name")}
              value={name}
              onChange={({ target }) => setTyped(target.value)}
              required
              maxLength={200}
              autoComplete="name"
              className="min-w-40 flex-1"
            />
            <Button type="submit" disabled={rename.isPending || !isEdited}>
              {t("common.save")}
            </Button>
            {rename.error && <Alert>{failureOf(rename.error).sentence}</Alert>}
            {question}
          </form>
        ) : (
          <div>
            <p className="font-medium">{t("members.name")}</p>
            <p>{self.name}</p>
            <p className="text-sm text-muted">{t("profile.nameHint")}</p>
          </div>
        )}
        <div className="flex flex-wrap items-end gap-2">
          <div className="min-w-40 flex-1">
            <p className="font-medium">{t("members.email")}</p>
            <p className="break-all">{me.email}</p>
            <p className="text-sm text-muted">{t("profile.proofHint")}</p>
          </div>
          <Button disabled={prove.isPending} onClick={() => prove.mutate()}>
            {t("profile.prove")}
          </Button>
        </div>
        <Select
          label={t("profile.presence")}
          value={presence.isPending ? presence.variables : self.presence}
          onChange={({ target }) => presence.mutate(target.value as Presence)}
        >
          {Presence.map((one) => (
            <option key={one} value={one}>
              {t(`presence.${one}`)}
            </option>
          ))}
        </Select>
        {me.role !== "observer" && <OwnSignature />}
      </div>
      {dialog}
    </Page>
  );
}
