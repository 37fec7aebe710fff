import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Schemas } from "../../../api/parley.js";
import { workspacesQuery } from "../../../api/queries.js";
import { Badge } from "../../../ui/badge.js";
import { Page } from "../../../ui/page.js";
import { Empty, Failed, Skeleton } from "../../../ui/states.js";
import { type Channel, channelsQuery, LOOKS } from "./queries.js";

/** How contacts reach each workspace, and whether that works. */
export function Channels(): ReactNode {
  const { t } = useTranslation();
  const title = t("settings.section.channels");
  const { data: workspaces, error, isPending, refetch } = useQuery(workspacesQuery());
  return (
    <Page
      title={title}
      explain={t("channels.explain")}
      action={
        <Link
          to="/settings/channels/new"
          className="inline-flex h-9 items-center rounded-md bg-accent px-3 font-medium text-on-accent hover:bg-accent-strong"
        >
          {t("channelSetup.create")}
        </Link>
      }
    >
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {isPending ? (
        <Skeleton lines={3} />
      ) : (
        <div className="flex flex-col gap-6">
          {workspaces?.map((workspace) => (
            <OfWorkspace key={workspace.id} workspace={workspace} />
          ))}
        </div>
      )}
    </Page>
  );
}

function OfWorkspace({ workspace: { id, name } }: { workspace: Schemas["WorkspaceSummary"] }): ReactNode {
  const { t } = useTranslation();
  const { data, error, isPending, refetch } = useQuery(channelsQuery(id));
  return (
    <section aria-labelledby={`channels-${id}`}>
      <h2 id={`channels-${id}`} dir="auto" className="mb-2 font-semibold">
        {name}
      </h2>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {isPending ? (
        <Skeleton lines={2} />
      ) : data?.length === 0 ? (
        <Empty text={t("channels.empty")}>
          <Link to="/settings/channels/new" className="text-accent hover:underline">
            {t("channelSetup.create")}
          </Link>
        </Empty>
      ) : (
        <ul className="flex flex-col divide-y divide-line rounded-lg border border-line">
          {data?.map((channel) => (
            <li key={channel.id}>
              <Row channel={channel} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Row({ channel: { id, name, type, status, address, provisioning } }: { channel: Channel }): ReactNode {
  const { t } = useTranslation();
  return (
    <Link
      to="/settings/channels/$channelId"
      params={{ channelId: id }}
      className="flex items-center gap-4 p-3 hover:bg-hover"
    >
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-2">
          <span dir="auto" className="font-medium wrap-anywhere">
            {name}
          </span>
          <Badge look={LOOKS[status]}>{t(`channels.status.${status}`)}</Badge>
        </span>
        <span className="block text-sm wrap-anywhere text-muted">
          {[t(`channel.${type}`), address].filter(Boolean).join(", ")}
        </span>
        {provisioning.lastError !== null && (
          <span className="block text-sm wrap-anywhere text-danger">{provisioning.lastError}</span>
        )}
      </span>
      <ChevronRight size={16} aria-hidden="true" className="shrink-0 text-muted rtl:-scale-x-100" />
    </Link>
  );
}
