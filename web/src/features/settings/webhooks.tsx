import { ForbiddenError } from "@parley/sdk/core";
import { WebhookEventType } from "@parley/sdk/enums";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { QUIET_MS } from "../../api/paged.js";
import { parley, type Schemas } from "../../api/parley.js";
import { Badge } from "../../ui/badge.js";
import { Button } from "../../ui/button.js";
import { Confirm } from "../../ui/confirm.js";
import { Alert, Field } from "../../ui/field.js";
import { FIRST_FIELD } from "../../ui/focus.js";
import { Page } from "../../ui/page.js";
import { Empty, Failed, Skeleton } from "../../ui/states.js";
import { Submit } from "../../ui/submit.js";
import { toast } from "../../ui/toasts.js";
import { Deliveries } from "./deliveries.js";
import { useRecentSignIn } from "../sign-in/recent-sign-in.js";
import { ShownOnce } from "./shown-once.js";

type Endpoint = Schemas["WebhookEndpoint"];

const ACTIONS = {
  test: ({ id }: Endpoint) => parley.webhookEndpoints.test(id),
  turn: ({ id, status }: Endpoint) =>
    parley.webhookEndpoints.update(id, { status: status === "active" ? "disabled" : "active" }),
  remove: ({ id }: Endpoint) => parley.webhookEndpoints.delete(id),
};
type Action = keyof typeof ACTIONS;

interface Asking {
  what: "rotate" | "remove";
  endpoint: Endpoint;
}

/** Where events are sent, and what became of each. */
export function Webhooks(): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { withRecentSignIn, dialog } = useRecentSignIn();
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const [asking, setAsking] = useState<Asking>();
  const [open, setOpen] = useState<string>();
  const query = useQuery({
    queryKey: ["webhook-endpoints"],
    queryFn: async ({ signal }) => await parley.webhookEndpoints.list({ signal }),
    staleTime: QUIET_MS,
  });
  const readAgain = (): void => void client.invalidateQueries({ queryKey: ["webhook-endpoints"] });
  const failed = (error: unknown): void => toast(failureOf(error).sentence, { failed: true });

  const turnOn = useMutation({
    mutationFn: () => withRecentSignIn(() => parley.tenant.update({ webhooksPreview: true })),
    onError: failed,
    onSettled: readAgain,
  });
  const act = useMutation({
    mutationFn: ({ action, endpoint }: { action: Action; endpoint: Endpoint }) =>
      withRecentSignIn<unknown>(() => ACTIONS[action](endpoint)),
    onSuccess: (_, { action, endpoint }) => {
      if (action !== "test") return;
      toast(t("webhooks.tested"));
      setOpen(endpoint.id);
    },
    onError: failed,
    onSettled: readAgain,
  });
  const rotate = useMutation({
    mutationFn: ({ id }: Endpoint) => withRecentSignIn(() => parley.webhookEndpoints.rotateSecret(id)),
    onSuccess: (rotated) => setSecret(rotated.secret),
    onError: failed,
  });

  const title = t("settings.section.webhooks");
  const isOff = query.error instanceof ForbiddenError;
  const create = (
    <Button look="primary" onClick={() => setCreating(true)}>
      {t("webhooks.create")}
    </Button>
  );
  return (
    <Page
      title={title}
      explain={t("webhooks.explain")}
      action={!isCreating && !isOff && query.data?.length !== 0 && create}
    >
      {isCreating && (
        <CreateEndpoint
          withRecentSignIn={withRecentSignIn}
          onCancel={() => setCreating(false)}
          onCreated={(created) => {
            setCreating(false);
            setSecret(created);
            readAgain();
          }}
        />
      )}
      {isOff ? (
        <Empty text={t("webhooks.off")}>
          <Button look="primary" disabled={turnOn.isPending} onClick={() => turnOn.mutate()}>
            {t("webhooks.turnOn")}
          </Button>
        </Empty>
      ) : (
        query.error && <Failed error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isPending ? (
        <Skeleton lines={2} />
      ) : query.data?.length === 0 ? (
        !isCreating && <Empty text={t("webhooks.empty")}>{create}</Empty>
      ) : (
        query.data && (
          <ul aria-label={title} className="flex flex-col divide-y divide-line rounded-lg border border-line">
            {query.data.map((endpoint) => (
              <EndpointRow
                key={endpoint.id}
                endpoint={endpoint}
                isBusy={act.isPending}
                isOpen={open === endpoint.id}
                onOpen={(opens) => setOpen(opens ? endpoint.id : undefined)}
                onAct={(action) => act.mutate({ action, endpoint })}
                onAsk={(what) => setAsking({ what, endpoint })}
              />
            ))}
          </ul>
        )
      )}
      {secret !== undefined && (
        <ShownOnce
          title={t("webhooks.storeSecret")}
          label={t("webhooks.secret")}
          value={secret}
          onStored={() => setSecret(undefined)}
        />
      )}
      {dialog}
      <Ask
        asking={asking}
        onConfirm={({ what, endpoint }) => {
          setAsking(undefined);
          if (what === "rotate") rotate.mutate(endpoint);
          else act.mutate({ action: "remove", endpoint });
        }}
        onClose={() => setAsking(undefined)}
      />
    </Page>
  );
}

/** One endpoint: what it gets, what can be done with it, and what became of the events. */
function EndpointRow({
  endpoint,
  isBusy,
  isOpen,
  onOpen,
  onAct,
  onAsk,
}: {
  endpoint: Endpoint;
  isBusy: boolean;
  /** Whether the deliveries are shown. */
  isOpen: boolean;
  onOpen: (opens: boolean) => void;
  onAct: (action: Action) => void;
  onAsk: (what: Asking["what"]) => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <li className="p-3">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-48 flex-1">
          <p className="flex flex-wrap items-center gap-2">
            <span className="font-medium break-all">{endpoint.url}</span>
            {endpoint.status === "disabled" && <Badge>{t("webhooks.disabled")}</Badge>}
          </p>
          {endpoint.description !== null && <p dir="auto">{endpoint.description}</p>}
          <p className="text-sm break-words text-muted">{endpoint.events.join(", ")}</p>
        </div>
        <div role="group" aria-label={t("entries.actions", { name: endpoint.url })} className="flex flex-wrap gap-2">
          {endpoint.status === "active" && (
            <Button small disabled={isBusy} onClick={() => onAct("test")}>
              {t("settings.test")}
            </Button>
          )}
          <Button small aria-expanded={isOpen} onClick={() => onOpen(!isOpen)}>
            {t("webhooks.deliveries")}
          </Button>
          <Button small disabled={isBusy} onClick={() => onAct("turn")}>
            {t(endpoint.status === "active" ? "settings.disable" : "settings.enable")}
          </Button>
          <Button small onClick={() => onAsk("rotate")}>
            {t("webhooks.rotate")}
          </Button>
          <Button small look="danger" onClick={() => onAsk("remove")}>
            {t("lists.remove")}
          </Button>
        </div>
      </div>
      {isOpen && <Deliveries endpoint={endpoint} />}
    </li>
  );
}

/** Says what it does, and asks. */
function Ask({
  asking,
  onConfirm,
  onClose,
}: {
  asking: Asking | undefined;
  onConfirm: (asked: Asking) => void;
  onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const rotates = asking?.what === "rotate";
  return (
    <Confirm
      open={asking !== undefined}
      title={t(rotates ? "webhooks.rotate" : "webhooks.removeTitle")}
      verb={t(rotates ? "webhooks.rotate" : "lists.remove")}
      danger={asking?.what === "remove"}
      onClose={onClose}
      onConfirm={() => asking && onConfirm(asking)}
    >
      <p className="mb-2 break-all">{asking?.endpoint.url}</p>
      {t(rotates ? "webhooks.rotateExplain" : "webhooks.removeExplain")}
    </Confirm>
  );
}

function CreateEndpoint({
  withRecentSignIn,
  onCreated,
  onCancel,
}: {
  withRecentSignIn: <T>(run: () => Promise<T>) => Promise<T>;
  onCreated: (secret: string) => void;
  onCancel: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const [missing, setMissing] = useState(false);
  const create = useMutation({
    mutationFn: (body: Schemas["CreateWebhookEndpoint"]) =>
      withRecentSignIn(() => parley.webhookEndpoints.create(body)),
    onSuccess: ({ secret }) => onCreated(secret),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const events = form.getAll("events") as Schemas["WebhookEventType"][];
    setMissing(events.length === 0);
    if (events.length === 0) return;
    create.mutate({
      url: (form.get("url") as string).trim(),
      events,
      description: (form.get("description") as string).trim() || null,
    });
  };
  return (
    <form onSubmit={submit} className="mb-6 flex flex-col gap-5 rounded-lg border border-line bg-canvas p-4">
      <Field
        label={t("webhooks.url")}
        hint={t("webhooks.urlHint")}
        name="url"
        type="url"
        required
        maxLength={2000}
        {...FIRST_FIELD}
        placeholder="https://"
        className="max-w-xl"
      />
      <Field label={t("webhooks.description")} name="description" maxLength={200} className="max-w-xl" />
      <fieldset>
        <legend className="mb-2 font-medium">{t("webhooks.events")}</legend>
        <div className="grid gap-x-8 gap-y-2 sm:grid-cols-2">
          {WebhookEventType.map((event) => (
            <label key={event} className="flex items-center gap-2 font-mono text-sm">
              <input type="checkbox" name="events" value={event} className="size-4 shrink-0 accent-accent" />
              {event}
            </label>
          ))}
        </div>
      </fieldset>
      {missing && <Alert>{t("webhooks.pickEvent")}</Alert>}
      {create.error && <Alert>{failureOf(create.error).sentence}</Alert>}
      <div className="flex flex-wrap gap-2">
        <Submit isBusy={create.isPending}>{t("webhooks.create")}</Submit>
        <Button onClick={onCancel}>{t("common.cancel")}</Button>
      </div>
    </form>
  );
}
