import { ForbiddenError } from "@parley/sdk/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { parley, type Schemas } from "../../api/parley.js";
import { Badge } from "../../ui/badge.js";
import { Button } from "../../ui/button.js";
import { Confirm } from "../../ui/confirm.js";
import { Alert, Field } from "../../ui/field.js";
import { FIRST_FIELD } from "../../ui/focus.js";
import { Page } from "../../ui/page.js";
import { Empty, Failed, Skeleton } from "../../ui/states.js";
import { toast } from "../../ui/toasts.js";
import { Deliveries } from "./deliveries.js";
import { useRecentSignIn } from "../sign-in/recent-sign-in.js";
import { ShownOnce } from "./shown-once.js";

type Endpoint = Schemas["WebhookEndpoint"];
const EVENTS = [
  "conversation.created",
  "conversation.resolved",
  "conversation.status_changed",
  "message.received",
  "message.sent",
  "attention_item.created",
  "pending_action.created",
  "pending_action.status_changed",
  "kb_entry.proposed",
  "policy_entry.proposed",
] as const satisfies readonly Schemas["WebhookEventType"][];

const ACTIONS = {
  test: ({ id }: Endpoint) => parley.webhookEndpoints.test(id),
  turn: ({ id, status }: Endpoint) =>
    parley.webhookEndpoints.update(id, { status: status === "active" ? "disabled" : "active" }),
  remove: ({ id }: Endpoint) => parley.webhookEndpoints.delete(id),
};
type Action = keyof typeof ACTIONS;

/** Where events are sent, and what became of each. */
export function Webhooks(): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { withRecentSignIn, dialog } = useRecentSignIn();
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const [asking, setAsking] = useState<{ what: "rotate" | "remove"; endpoint: Endpoint }>();
  const [open, setOpen] = useState<string>();
  const query = useQuery({
    queryKey: ["webhook-endpoints"],
    queryFn: async ({ signal }) => await parley.webhookEndpoints.list({ signal }),
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
              <li key={endpoint.id} className="p-3">
                <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
                  <div className="min-w-48 flex-1">
                    <p className="flex flex-wrap items-center gap-2">
                      <span className="font-medium break-all">{endpoint.url}</span>
                      {endpoint.status === "disabled" && <Badge>{t("webhooks.disabled")}</Badge>}
                    </p>
                    {endpoint.description !== null && <p dir="auto">{endpoint.description}</p>}
                    <p className="text-sm break-words text-muted">{endpoint.events.join(", ")}</p>
                  </div>
                  <div
                    role="group"
                    aria-label={t("entries.actions", { name: endpoint.url })}
                    className="flex flex-wrap gap-2"
                  >
                    {endpoint.status === "active" && (
                      <Button small disabled={act.isPending} onClick={() => act.mutate({ action: "test", endpoint })}>
                        {t("settings.test")}
                      </Button>
                    )}
                    <Button
                      small
                      aria-expanded={open === endpoint.id}
                      onClick={() => setOpen(open === endpoint.id ? undefined : endpoint.id)}
                    >
                      {t("webhooks.deliveries")}
                    </Button>
                    <Button small disabled={act.isPending} onClick={() => act.mutate({ action: "turn", endpoint })}>
                      {t(endpoint.status === "active" ? "settings.disable" : "settings.enable")}
                    </Button>
                    <Button small onClick={() => setAsking({ what: "rotate", endpoint })}>
                      {t("webhooks.rotate")}
                    </Button>
                    <Button small look="danger" onClick={() => setAsking({ what: "remove", endpoint })}>
                      {t("lists.remove")}
                    </Button>
                  </div>
                </div>
                {open === endpoint.id && <Deliveries endpoint={endpoint} />}
              </li>
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
      <Confirm
        open={asking !== undefined}
        title={t(asking?.what === "rotate" ? "webhooks.rotate" : "webhooks.removeTitle")}
        verb={t(asking?.what === "rotate" ? "webhooks.rotate" : "lists.remove")}
        danger={asking?.what === "remove"}
        onClose={() => setAsking(undefined)}
        onConfirm={() => {
          setAsking(undefined);
          if (asking?.what === "rotate") rotate.mutate(asking.endpoint);
          else if (asking) act.mutate({ action: "remove", endpoint: asking.endpoint });
        }}
      >
        <p className="mb-2 break-all">{asking?.endpoint.url}</p>
        {t(asking?.what === "rotate" ? "webhooks.rotateExplain" : "webhooks.removeExplain")}
      </Confirm>
    </Page>
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
          {EVENTS.map((event) => (
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
        <Button type="submit" look="primary" disabled={create.isPending}>
          {t("webhooks.create")}
        </Button>
        <Button onClick={onCancel}>{t("common.cancel")}</Button>
      </div>
    </form>
  );
}
