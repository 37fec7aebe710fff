import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { apiKeysQuery } from "../../api/api-keys.js";
import { failureOf } from "../../api/failure.js";
import { parley, type Schemas } from "../../api/parley.js";
import { useKeys } from "../../keyboard/keys.js";
import { Button } from "../../ui/button.js";
import { When } from "../../ui/dates.js";
import { Dialog } from "../../ui/dialog.js";
import { Page } from "../../ui/page.js";
import { Empty, Failed, Skeleton } from "../../ui/states.js";
import { toast } from "../../ui/toasts.js";
import { KeyForm, useDataScopes, optionOf } from "./key-form.js";
import { NewKey } from "./new-key.js";
import { useRecentSignIn } from "../sign-in/recent-sign-in.js";
import { LastUsed } from "./last-used.js";

type ApiKey = Schemas["ApiKey"];

interface Asking {
  what: "rotate" | "revoke";
  key: ApiKey;
}

const OVERLAP_HOURS = 24;

/** The organisation's API keys: who made them, what they may do, and when they were last used. */
export function ApiAccess(): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const keys = useQuery(apiKeysQuery());
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<string>();
  const [editing, setEditing] = useState<ApiKey>();
  const [asking, setAsking] = useState<Asking>();
  const { withRecentSignIn, dialog } = useRecentSignIn();
  const readAgain = (): void => void client.invalidateQueries({ queryKey: ["api-keys"] });

  const act = useMutation({
    mutationFn: async ({ what, key }: Asking) =>
      withRecentSignIn(async () => {
        if (what === "revoke") await parley.apiKeys.revoke(key.id);
        else setCreated((await parley.apiKeys.rotate(key.id, { overlapHours: OVERLAP_HOURS })).key);
      }),
    onSettled: () => {
      setAsking(undefined);
      readAgain();
    },
    onError: (error) => toast(failureOf(error).sentence, { failed: true }),
  });

  useKeys({ "create-key": () => setCreating(true) });
  // One button, here or where the list would be.
  const create = (
    <Button look="primary" onClick={() => setCreating(true)}>
      {t("apiKeys.create")}
    </Button>
  );
  return (
    <Page
      title={t("apiKeys.title")}
      explain={t("apiKeys.explain")}
      action={!isCreating && keys.data?.length !== 0 && create}
    >
      {isCreating && (
        <KeyForm
          withRecentSignIn={withRecentSignIn}
          onCancel={() => setCreating(false)}
          onDone={(key) => {
            setCreating(false);
            setCreated(key);
            readAgain();
          }}
        />
      )}
      {keys.error && <Failed error={keys.error} onRetry={() => void keys.refetch()} />}
      {keys.isPending ? (
        <Skeleton lines={3} />
      ) : keys.data?.length === 0 ? (
        !isCreating && <Empty text={t("apiKeys.empty")}>{create}</Empty>
      ) : (
        <ul className="flex flex-col divide-y divide-line rounded-lg border border-line">
          {keys.data?.map((key) => (
            <KeyRow
              key={key.id}
              apiKey={key}
              onEdit={() => setEditing(key)}
              onAsk={(what) => setAsking({ what, key })}
            />
          ))}
        </ul>
      )}
      {created !== undefined && <NewKey value={created} onStored={() => setCreated(undefined)} />}
      <Dialog
        open={editing !== undefined}
        onClose={() => setEditing(undefined)}
        title={t("apiKeys.editNamed", { name: editing?.name ?? "" })}
        sticky
        wide
      >
        <KeyForm
          of={editing}
          withRecentSignIn={withRecentSignIn}
          onCancel={() => setEditing(undefined)}
          onDone={() => {
            setEditing(undefined);
            readAgain();
          }}
        />
      </Dialog>
      {dialog}
      <Ask
        asking={asking}
        isBusy={act.isPending}
        onConfirm={(asked) => act.mutate(asked)}
        onClose={() => setAsking(undefined)}
      />
    </Page>
  );
}

/** Says what it does, and asks. */
function Ask({
  asking,
  isBusy,
  onConfirm,
  onClose,
}: {
  asking: Asking | undefined;
  isBusy: boolean;
  onConfirm: (asked: Asking) => void;
  onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const rotates = asking?.what === "rotate";
  const verb = t(rotates ? "apiKeys.rotate" : "apiKeys.revoke");
  return (
    <Dialog open={asking !== undefined} onClose={onClose} title={verb}>
      <p className="mb-4">
        {rotates
          ? t("apiKeys.rotateExplain", { hours: OVERLAP_HOURS })
          : t("apiKeys.revokeExplain", { name: asking?.key.name ?? "" })}
      </p>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t("common.cancel")}</Button>
        <Button
          look={asking?.what === "revoke" ? "danger" : "primary"}
          disabled={isBusy}
          onClick={() => asking && onConfirm(asking)}
        >
          {verb}
        </Button>
      </div>
    </Dialog>
  );
}

function KeyRow({
  apiKey,
  onEdit,
  onAsk,
}: {
  apiKey: ApiKey;
  onEdit: () => void;
  onAsk: (what: "rotate" | "revoke") => void;
}): ReactNode {
  const { t } = useTranslation();
  const { name, prefix, scopes, status, lastUsedAt, expiresAt, dataScope } = apiKey;
  const reach = useDataScopes().find(({ value }) => value === optionOf(dataScope));
  const active = status === "active";
  return (
    <li className={`flex flex-wrap items-center gap-x-4 gap-y-2 p-3 ${active ? "" : "text-muted"}`}>
      <div className="min-w-48 flex-1">
        <p className="flex items-center gap-2">
          <span dir="auto" className="truncate font-medium">
            {name}
          </span>
          {!active && (
            <span className="rounded bg-hover px-1.5 text-xs font-medium">{t(`apiKeys.state.${status}`)}</span>
          )}
        </p>
        <p className="flex flex-wrap gap-x-3 text-sm text-muted">
          <code className="font-mono text-xs leading-5">{prefix}…</code>
          <span>{lastUsedAt === null ? t("apiKeys.neverUsed") : <LastUsed at={lastUsedAt} of="apiKeys" />}</span>
          {expiresAt !== null && (
            <span>
              {t("apiKeys.expires")} <When at={expiresAt} />
            </span>
          )}
        </p>
        {dataScope.level !== "organisation" && (
          <p dir="auto" className="text-sm wrap-anywhere text-muted">
            {reach?.label}
          </p>
        )}
        <p className="text-sm break-words text-muted">{scopes.join(", ")}</p>
      </div>
      {active && (
        <div role="group" aria-label={t("apiKeys.actions", { name })} className="flex gap-2">
          <Button small onClick={onEdit}>
            {t("apiKeys.edit")}
          </Button>
          <Button small onClick={() => onAsk("rotate")}>
            {t("apiKeys.rotate")}
          </Button>
          <Button small look="danger" onClick={() => onAsk("revoke")}>
            {t("apiKeys.revoke")}
          </Button>
        </div>
      )}
    </li>
  );
}
