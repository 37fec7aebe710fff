import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../../api/failure.js";
import type { Schemas } from "../../../api/parley.js";
import { workspacesQuery } from "../../../api/queries.js";
import { Badge } from "../../../ui/badge.js";
import { Button } from "../../../ui/button.js";
import { Confirm } from "../../../ui/confirm.js";
import { Dialog } from "../../../ui/dialog.js";
import { Menu, MenuItem } from "../../../ui/menu.js";
import { Page } from "../../../ui/page.js";
import { Empty, Failed, Skeleton } from "../../../ui/states.js";
import { toast } from "../../../ui/toasts.js";
import { channelsQuery } from "../channels/queries.js";
import { deleteWidget, type Kind, turnWidget, type Widget, widgetsQuery } from "./queries.js";
import { WidgetForm } from "./widget-form.js";

const KINDS = ["contact_form", "kb"] as const satisfies readonly Kind[];
type Open = { workspaceId: string; kind: Kind; widget?: Widget };

/** What stands on the organisation's own pages: contact forms, searches and web chats. */
export function Widgets(): ReactNode {
  const { t } = useTranslation();
  const title = t("settings.section.widgets");
  const client = useQueryClient();
  const { data: workspaces, error, isPending, refetch } = useQuery(workspacesQuery());
  const [open, setOpen] = useState<Open>();
  return (
    <Page title={title} explain={t("widgets.explain")}>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {isPending ? (
        <Skeleton lines={3} />
      ) : (
        <div className="flex flex-col gap-8">
          {workspaces?.map((workspace) => (
            <OfWorkspace key={workspace.id} workspace={workspace} onOpen={setOpen} />
          ))}
        </div>
      )}
      <Dialog
        open={open !== undefined}
        wide
        onClose={() => setOpen(undefined)}
        title={open?.widget?.name ?? t(`widgets.new.${open?.kind ?? "kb"}`)}
      >
        {open && (
          <WidgetForm
            key={open.widget?.id}
            {...open}
            onSaved={(widget) => {
              setOpen({ ...open, widget });
              void client.invalidateQueries({ queryKey: ["widgets", open.workspaceId] });
              // The first form brings its channel.
              void client.invalidateQueries({ queryKey: ["channels", open.workspaceId] });
            }}
          />
        )}
      </Dialog>
    </Page>
  );
}

function OfWorkspace({
  workspace: { id, name },
  onOpen,
}: {
  workspace: Schemas["WorkspaceSummary"];
  onOpen: (open: Open) => void;
}): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const widgets = useQuery(widgetsQuery(id));
  const channels = useQuery(channelsQuery(id));
  const [removing, setRemoving] = useState<Widget>();
  const act = useMutation({
    mutationFn: ({ run, widget }: { run: (widget: Widget) => Promise<object>; widget: Widget }) => run(widget),
    onError: (failure) => toast(failureOf(failure).sentence, { failed: true }),
    onSettled: () => void client.invalidateQueries({ queryKey: ["widgets", id] }),
  });
  const chats = channels.data?.filter(({ type }) => type === "webchat");
  const isEmpty = widgets.data?.length === 0 && chats?.length === 0;
  return (
    <section aria-labelledby={`widgets-${id}`}>
      <div className="mb-2 flex items-center gap-2">
        <h2 id={`widgets-${id}`} dir="auto" className="min-w-0 flex-1 font-semibold wrap-anywhere">
          {name}
        </h2>
        <Menu
          trigger={
            <Button small aria-label={t("widgets.createIn", { name })}>
              {t("widgets.create")}
            </Button>
          }
        >
          {KINDS.map((kind) => (
            <MenuItem key={kind} onClick={() => onOpen({ workspaceId: id, kind })}>
              {t(`widgets.new.${kind}`)}
            </MenuItem>
          ))}
        </Menu>
      </div>
      {widgets.error && <Failed error={widgets.error} onRetry={() => void widgets.refetch()} />}
      {channels.error && <Failed error={channels.error} onRetry={() => void channels.refetch()} />}
      {widgets.isPending ? (
        <Skeleton lines={2} />
      ) : isEmpty ? (
        <Empty text={t("widgets.empty")}>
          <Button onClick={() => onOpen({ workspaceId: id, kind: KINDS[0] })}>{t(`widgets.new.${KINDS[0]}`)}</Button>
        </Empty>
      ) : (
        <ul className="flex flex-col divide-y divide-line rounded-lg border border-line">
          {chats?.map(({ id: channelId, name: chat, status }) => (
            <Row
              key={channelId}
              name={chat}
              kind={t("channel.webchat")}
              isOff={status === "disabled"}
              actions={
                <Link
                  to="/settings/channels/$channelId"
                  params={{ channelId }}
                  className="inline-flex h-7 items-center rounded-md border border-edge/50 bg-surface px-2 text-sm font-medium hover:bg-hover"
                >
                  {t("lists.edit")}
                </Link>
              }
            />
          ))}
          {widgets.data?.map((widget) => (
            <Row
              key={widget.id}
              name={widget.name}
              kind={t(`widgets.kind.${widget.kind}`)}
              isOff={!widget.enabled}
              actions={
                <>
                  <Button small onClick={() => onOpen({ workspaceId: id, kind: widget.kind, widget })}>
                    {t("lists.edit")}
                  </Button>
                  <Button small disabled={act.isPending} onClick={() => act.mutate({ run: turnWidget, widget })}>
                    {t(widget.enabled ? "settings.disable" : "settings.enable")}
                  </Button>
                  <Button small look="danger" onClick={() => setRemoving(widget)}>
                    {t("lists.remove")}
                  </Button>
                </>
              }
            />
          ))}
        </ul>
      )}
      <Confirm
        open={removing !== undefined}
        title={t("widgets.removeTitle", { name: removing?.name ?? "" })}
        verb={t("lists.remove")}
        danger
        onClose={() => setRemoving(undefined)}
        onConfirm={() => {
          setRemoving(undefined);
          if (removing) act.mutate({ run: deleteWidget, widget: removing });
        }}
      >
        {t(`widgets.removeExplain.${removing?.kind ?? "kb"}`)}
      </Confirm>
    </section>
  );
}

function Row({
  name,
  kind,
  isOff,
  actions,
}: {
  name: string;
  kind: string;
  isOff: boolean;
  actions: ReactNode;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 p-3">
      <div className="min-w-48 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <span dir="auto" className="font-medium wrap-anywhere">
            {name}
          </span>
          {isOff && <Badge>{t("channels.status.disabled")}</Badge>}
        </p>
        <p className="text-sm text-muted">{kind}</p>
      </div>
      <div role="group" aria-label={t("entries.actions", { name })} className="flex flex-wrap gap-2">
        {actions}
      </div>
    </li>
  );
}
