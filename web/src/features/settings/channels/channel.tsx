import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../../api/failure.js";
import { parley, type Schemas } from "../../../api/parley.js";
import { workspacesQuery } from "../../../api/queries.js";
import { Badge } from "../../../ui/badge.js";
import { Button } from "../../../ui/button.js";
import { Confirm } from "../../../ui/confirm.js";
import { DetailPage, DetailPending, Part } from "../../../ui/detail-page.js";
import { Failed } from "../../../ui/states.js";
import { Ago } from "../../../ui/time.js";
import { toast } from "../../../ui/toasts.js";
import { Facts } from "../../contacts/facts.js";
import { useEdits } from "../edits.js";
import { ChannelSignature } from "../signature.js";
import { Addresses } from "./addresses.js";
import { Credentials } from "./credentials.js";
import { type ChannelDraft, credentialsOf, draftOf, FIELDS, hasAddress, serversOf, settingsOf } from "./draft.js";
import { ChannelFields } from "./fields.js";
import { MailDomainChecks } from "./mail-domain.js";
import { SignIn } from "./sign-in.js";
import { type Channel, channelChanged, channelQuery, LOOKS } from "./queries.js";

const ACTIONS = {
  test: ({ id }: Channel) => parley.channels.test(id),
  retry: ({ id }: Channel) => parley.channels.retryProvisioning(id),
  enable: ({ id }: Channel) => parley.channels.update(id, { enabled: true }),
  disable: ({ id }: Channel) => parley.channels.update(id, { enabled: false }),
};
type Action = keyof typeof ACTIONS;

/** One channel: whether it works, where it is reached, its settings and its credentials. */
export function ChannelPage(): ReactNode {
  const { channelId = "" }: { channelId?: string } = useParams({ strict: false });
  return <One key={channelId} id={channelId} />;
}

function One({ id }: { id: string }): ReactNode {
  const { t } = useTranslation();
  const { data: channel, error, refetch } = useQuery(channelQuery(id));
  const back = { to: "/settings/channels", label: t("settings.section.channels") };
  if (!channel)
    return <DetailPending narrow id={id} back={back} query={{ error, refetch }} one={t("channelSetup.one")} />;
  return (
    <DetailPage narrow id={id} back={back} title={channel.name} action={<Actions channel={channel} />}>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      <div className="flex flex-col gap-10">
        <State channel={channel} />
        <SignIn channel={channel} />
        <Addresses channel={channel} />
        <MailDomainChecks channel={channel} />
        <Settings channel={channel} />
        {channel.type === "email" && <ChannelSignature channelId={channel.id} />}
        {credentialsOf(channel.type, draftOf(channel)).length > 0 && <Credentials channel={channel} />}
      </div>
    </DetailPage>
  );
}

/** Test, set up again, turn off and on. */
function Actions({ channel }: { channel: Channel }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const { name, status } = channel;
  const act = useMutation({
    mutationFn: (action: Action): Promise<object> => ACTIONS[action](channel),
    onSuccess: (answer, action) => {
      if (action !== "test") return;
      const { lastTest } = answer as Schemas["ChannelTested"];
      toast(lastTest.message, { failed: !lastTest.ok });
    },
    onError: (failure) => toast(failureOf(failure).sentence, { failed: true }),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ["channel", channel.id] });
      void client.invalidateQueries({ queryKey: ["channels", channel.workspaceId] });
    },
  });
  const busy = act.isPending;
  return (
    <div role="group" aria-label={t("entries.actions", { name })} className="flex flex-wrap gap-2">
      {status !== "disabled" && (
        <Button disabled={busy} onClick={() => act.mutate("test")}>
          {t(busy && act.variables === "test" ? "channels.testing" : "settings.test")}
        </Button>
      )}
      {(status === "error" || status === "provisioning") && (channel.hasCredentials || channel.signIn !== null) && (
        <Button disabled={busy} onClick={() => act.mutate("retry")}>
          {t("channels.retry")}
        </Button>
      )}
      <Button disabled={busy} onClick={() => (status === "disabled" ? act.mutate("enable") : setAsking(true))}>
        {t(status === "disabled" ? "settings.enable" : "settings.disable")}
      </Button>
      <Confirm
        open={isAsking}
        title={t("channels.disableTitle", { name })}
        verb={t("settings.disable")}
        danger
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          act.mutate("disable");
        }}
      >
        {t("channels.disableExplain")}
      </Confirm>
    </div>
  );
}

function State({ channel }: { channel: Channel }): ReactNode {
  const { t } = useTranslation();
  const { data: workspaces } = useQuery(workspacesQuery());
  const { type, status, lastTest, provisioning, workspaceId } = channel;
  return (
    <Part title={t("channelSetup.state")}>
      <Facts
        facts={[
          [t("channelSetup.status"), <Badge look={LOOKS[status]}>{t(`channels.status.${status}`)}</Badge>],
          ...(provisioning.lastError === null
            ? []
            : [
                [
                  t("channelSetup.error"),
                  <span className="text-danger">
                    {provisioning.lastError}
                    {provisioning.attempts > 0 && ` (${t("webhooks.attempts", { count: provisioning.attempts })})`}
                  </span>,
                ] as const,
              ]),
          [
            t("channelSetup.tested"),
            lastTest ? (
              <>
                <Ago at={lastTest.at} />: <span className={lastTest.ok ? "" : "text-danger"}>{lastTest.message}</span>
              </>
            ) : (
              <span className="text-muted">{t("channelSetup.never")}</span>
            ),
          ],
          [t("channelSetup.type"), t(`channel.${type}`)],
          [t("channelSetup.workspace"), workspaces?.find(({ id }) => id === workspaceId)?.name],
        ]}
      />
    </Part>
  );
}

function Settings({ channel }: { channel: Channel }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { id, type } = channel;
  const now = draftOf(channel);
  const setup = useEdits<ChannelDraft, Channel>({
    now,
    fields: FIELDS[type],
    send: ({ name, address, ...rest }, draft) =>
      parley.channels.update(id, {
        ...(name !== undefined && { name }),
        ...(address !== undefined && { address }),
        ...(Object.keys(rest).length > 0 && { settings: settingsOf(type, draft) }),
      }),
    onSaved: (saved) => channelChanged(client, saved),
  });
  const losesCredentials = channel.hasCredentials && serversOf(type, now) !== serversOf(type, setup.draft);
  return (
    <Part title={t("settings.title")}>
      <form {...setup.form} aria-label={t("settings.title")} className="flex flex-col gap-4">
        <ChannelFields type={type} setup={setup} />
        {losesCredentials && (
          <p role="status" className="rounded-lg border border-note-line bg-note p-3 text-note-text">
            {t("channelSetup.losesCredentials")}
          </p>
        )}
        {hasAddress(type) && <p className="text-sm text-muted">{t("channelSetup.again")}</p>}
        {setup.end}
      </form>
    </Part>
  );
}
