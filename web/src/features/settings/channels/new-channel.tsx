import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { parley, type Schemas } from "../../../api/parley.js";
import { workspacesQuery } from "../../../api/queries.js";
import { Button } from "../../../ui/button.js";
import { DetailPage } from "../../../ui/detail-page.js";
import { Alert, Select } from "../../../ui/field.js";
import { useWrongFocus } from "../../../ui/focus.js";
import { Failed, Skeleton } from "../../../ui/states.js";
import { Submit } from "../../../ui/submit.js";
import { otherRefusal, refusalOf } from "../edits.js";
import { credentialsIn, credentialsOf, draftOf, FIELDS, pathsOf, settingsOf } from "./draft.js";
import { ChannelFields, CredentialFields } from "./fields.js";
import { channelChanged, type ChannelType } from "./queries.js";
import { keepSecret } from "./webhook-secrets.js";

/** The types that somebody creates. The channel of the contact forms comes with the first form. */
const TYPES = ["email", "webchat", "sms", "voice", "api"] as const satisfies readonly ChannelType[];

export function NewChannel(): ReactNode {
  const { t } = useTranslation();
  const { data: workspaces, error, refetch } = useQuery(workspacesQuery());
  return (
    <DetailPage
      narrow
      id="new"
      back={{ to: "/settings/channels", label: t("settings.section.channels") }}
      title={t("channelSetup.create")}
    >
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {workspaces ? <Form workspaces={workspaces} /> : !error && <Skeleton lines={4} />}
    </DetailPage>
  );
}

function Form({ workspaces }: { workspaces: Schemas["WorkspaceSummary"][] }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [workspaceId, setWorkspaceId] = useState(workspaces[0]?.id ?? "");
  const [type, setType] = useState<ChannelType>("email");
  const [draft, setDraft] = useState(() => draftOf());
  const create = useMutation({
    mutationFn: (body: Schemas["CreateChannel"]) => parley.channels.create(workspaceId, body),
    onSuccess: (channel, { credentials }) => {
      keepSecret(channel.id, credentials ?? {});
      channelChanged(client, channel);
      void navigate({ to: "/settings/channels/$channelId", params: { channelId: channel.id } });
    },
  });
  const form = useWrongFocus(create.error);
  const fields = credentialsOf(type, draft);
  const other = otherRefusal(create.error, [...FIELDS[type], ...pathsOf(fields)]);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const credentials = credentialsIn(fields, new FormData(event.currentTarget));
    create.mutate({
      type,
      name: draft.name,
      ...(draft.address.trim() && { address: draft.address }),
      settings: settingsOf(type, draft),
      // They can follow later.
      ...(Object.keys(credentials).length > 0 && { credentials }),
    });
  };
  const wrong = (path: string, words?: string): string | undefined => {
    const said = refusalOf(create.error, path);
    return said && (words ?? said);
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Select
          label={t("channelSetup.workspace")}
          value={workspaceId}
          onChange={({ target }) => setWorkspaceId(target.value)}
        >
          {workspaces.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
        <Select
          label={t("channelSetup.type")}
          hint={t(`channelSetup.meaning.${type}`)}
          value={type}
          onChange={({ target }) => {
            setType(target.value as ChannelType);
            create.reset();
          }}
        >
          {TYPES.map((one) => (
            <option key={one} value={one}>
              {t(`channel.${one}`)}
            </option>
          ))}
        </Select>
      </div>
      <ChannelFields
        type={type}
        setup={{ draft, wrong, edit: (change) => setDraft((before) => ({ ...before, ...change })) }}
      />
      {fields.length > 0 && (
        <fieldset className="flex flex-col gap-4">
          <legend className="mb-1 text-lg font-semibold">{t("channelSetup.credentials")}</legend>
          <p className="text-sm text-muted">{t("channelSetup.writeOnly")}</p>
          <CredentialFields key={`${type} ${draft.signInWith} ${draft.inbound}`} fields={fields} wrong={wrong} />
        </fieldset>
      )}
      {other !== undefined && <Alert>{other}</Alert>}
      <div className="flex gap-2">
        <Submit isBusy={create.isPending} disabled={!workspaceId}>
          {t("channelSetup.create")}
        </Submit>
        <Button onClick={() => void navigate({ to: "/settings/channels" })}>{t("common.cancel")}</Button>
      </div>
    </form>
  );
}
