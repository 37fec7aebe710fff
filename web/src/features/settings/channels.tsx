import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { parley, type Schemas } from "../../api/parley.js";
import { workspacesQuery } from "../../api/queries.js";
import { useMember } from "../../session/session.js";
import { Badge } from "../../ui/badge.js";
import { Button } from "../../ui/button.js";
import { Confirm } from "../../ui/confirm.js";
import { Page } from "../../ui/page.js";
import { Empty, Failed, Skeleton } from "../../ui/states.js";
import { Ago } from "../../ui/time.js";
import { toast } from "../../ui/toasts.js";
import { isManager } from "./settings.js";

type Channel = Schemas["Channel"];
const LOOKS = { active: "ok", provisioning: "warn", error: "danger", disabled: "plain" } as const;

const ACTIONS = {
  test: ({ id }: Channel) => parley.channels.test(id),
  retry: ({ id }: Channel) => parley.channels.retryProvisioning(id),
  enable: ({ id }: Channel) => parley.channels.update(id, { enabled: true }),
  disable: ({ id }: Channel) => parley.channels.update(id, { enabled: false }),
};
type Action = keyof typeof ACTIONS;

/** How contacts reach each workspace, and whether that works. */
export function Channels(): ReactNode {
  const { t } = useTranslation();
  const manages = isManager(useMember());
  const { data: workspaces, error, isPending, refetch } = useQuery(workspacesQuery());
  const title = t("settings.section.channels");
  if (!manages)
    return (
      <Page title={title}>
        <Empty text={t("settings.managersOnly")} />
      </Page>
    );
  return (
    <Page title={title} explain={t("channels.explain")}>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {isPending ? (
        <Skeleton lines={3} />
      ) : (
        <div className="flex flex-col gap-6">
          {workspaces?.map((workspace) => (
            <WorkspaceChannels key={workspace.id} workspace={workspace} />
          ))}
        </div>
      )}
    </Page>
  );
}

function WorkspaceChannels({ workspace: { id, name } }: { workspace: Schemas["WorkspaceSummary"] }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const queryKey = ["channels", id];
  const [disabling, setDisabling] = useState<Channel>();
  const { data, error, isPending, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => await parley.channels.list(id, { signal }),
  });
  const act = useMutation({
    mutationFn: ({ action, channel }: { action: Action; channel: Channel }): Promise<object> =>
      ACTIONS[action](channel),
    onSuccess: (answer, { action }) => {
      if (action !== "test") return;
      const { lastTest } = answer as Schemas["ChannelTested"];
      toast(lastTest.message, { failed: !lastTest.ok });
    },
    onError: (failure) => toast(failureOf(failure).sentence, { failed: true }),
    onSettled: () => void client.invalidateQueries({ queryKey }),
  });
  return (
    <section aria-labelledby={`channels-${id}`}>
      <h2 id={`channels-${id}`} dir="auto" className="mb-2 font-semibold">
        {name}
      </h2>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {isPending ? (
        <Skeleton lines={2} />
      ) : data?.length === 0 ? (
        <Empty text={t("channels.empty")} />
      ) : (
        <ul className="flex flex-col divide-y divide-line rounded-lg border border-line">
          {data?.map((channel) => (
            <ChannelRow
              key={channel.id}
              channel={channel}
              busy={act.isPending ? act.variables : undefined}
              onAct={(action) => (action === "disable" ? setDisabling(channel) : act.mutate({ action, channel }))}
            />
          ))}
        </ul>
      )}
      <Confirm
        open={disabling !== undefined}
        title={t("channels.disableTitle", { name: disabling?.name ?? "" })}
        verb={t("settings.disable")}
        danger
        onClose={() => setDisabling(undefined)}
        onConfirm={() => {
          setDisabling(undefined);
          if (disabling) act.mutate({ action: "disable", channel: disabling });
        }}
      >
        {t("channels.disableExplain")}
      </Confirm>
    </section>
  );
}

function ChannelRow({
  channel,
  busy,
  onAct,
}: {
  channel: Channel;
  busy: { action: Action; channel: Channel } | undefined;
  onAct: (action: Action) => void;
}): ReactNode {
  const { t } = useTranslation();
  const { name, type, status, address, lastTest, provisioning, hasCredentials, settings } = channel;
  const isBusy = busy?.channel.id === channel.id;
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 p-3">
      <div className="min-w-48 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <span dir="auto" className="font-medium break-words">
            {name}
          </span>
          <Badge look={LOOKS[status]}>{t(`channels.status.${status}`)}</Badge>
        </p>
        <p className="text-sm break-all text-muted">
          {[t(`channel.${type}`), address, hasCredentials && t("channels.credentials")].filter(Boolean).join(", ")}
        </p>
        {provisioning.lastError !== null && <p className="text-sm break-words text-danger">{provisioning.lastError}</p>}
        {lastTest && (
          <p className={`text-sm break-words ${lastTest.ok ? "text-muted" : "text-danger"}`}>
            {t("channels.lastTest")} <Ago at={lastTest.at} />: {lastTest.message}
          </p>
        )}
        {Object.keys(settings).length > 0 && (
          <details className="mt-1 text-sm">
            <summary className="cursor-pointer text-muted">{t("settings.title")}</summary>
            <dl className="mt-2 grid gap-x-6 gap-y-1 sm:grid-cols-[12rem_1fr]">
              {flat(settings).map(([key, value]) => (
                <div key={key} className="grid grid-cols-subgrid sm:col-span-2">
                  <dt className="font-mono text-xs leading-5 break-all text-muted">{key}</dt>
                  <dd className="min-w-0 break-words">{value}</dd>
                </div>
              ))}
            </dl>
          </details>
        )}
      </div>
      <div role="group" aria-label={t("entries.actions", { name })} className="flex flex-wrap gap-2">
        {status !== "disabled" && (
          <Button small disabled={isBusy} onClick={() => onAct("test")}>
            {t(isBusy && busy.action === "test" ? "channels.testing" : "settings.test")}
          </Button>
        )}
        {(status === "error" || status === "provisioning") && (
          <Button small disabled={isBusy} onClick={() => onAct("retry")}>
            {t("channels.retry")}
          </Button>
        )}
        <Button small disabled={isBusy} onClick={() => onAct(status === "disabled" ? "enable" : "disable")}>
          {t(status === "disabled" ? "settings.enable" : "settings.disable")}
        </Button>
      </div>
    </li>
  );
}

/** Settings as lines: `smtp.host` and its value. */
function flat(value: object, before = ""): [key: string, value: string][] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? flat(inner, `${before}${key}.`)
      : ([[`${before}${key}`, Array.isArray(inner) ? inner.join(", ") : String(inner)]] as [string, string][]),
  );
}
