import { ConflictError } from "@parley/sdk/core";
import { Presence } from "@parley/sdk/enums";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { parley } from "../../api/parley.js";
import { membersQuery } from "../../api/queries.js";
import { manages } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import { Button } from "../../ui/button.js";
import { Field, Select } from "../../ui/field.js";
import { Page } from "../../ui/page.js";
import { toast } from "../../ui/toasts.js";
import { useEdits } from "./edits.js";
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
  const prove = useMutation({
    mutationFn: () => parley.me.sendEmailProof(),
    onSuccess: () => toast(t("profile.proofSent", { email: me.email })),
    onError: (error) =>
      error instanceof ConflictError ? toast(t("profile.proven")) : toast(failureOf(error).sentence, { failed: true }),
  });
  return (
    <Page title={t("settings.section.profile")}>
      <div className="flex max-w-md flex-col gap-6">
        {manages(me) ? (
          <Name self={self} />
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
    </Page>
  );
}

function Name({ self: { id, name } }: { self: { id: string; name: string } }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { withRecentSignIn, dialog } = useRecentSignIn();
  const { draft, edit, wrong, form, end } = useEdits({
    now: { name },
    fields: ["name"],
    send: (_, typed) => withRecentSignIn(() => parley.members.update(id, { name: typed.name.trim() })),
    onSaved: (saved) =>
      client.setQueryData(membersQuery().queryKey, (members) => members && new Map(members).set(id, saved)),
  });
  return (
    <form {...form} aria-label={t("members.name")} className="flex flex-col gap-4">
      <Field
        label={t("members.name")}
        value={draft.name}
        error={wrong("name")}
        onChange={({ target }) => edit({ name: target.value })}
        required
        maxLength={200}
        autoComplete="name"
      />
      {end}
      {dialog}
    </form>
  );
}
