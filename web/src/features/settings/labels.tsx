import { LabelColour } from "@parley/sdk/enums";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { QUIET_MS } from "../../api/paged.js";
import { parley } from "../../api/parley.js";
import { type Label, labelsQuery } from "../../api/queries.js";
import { manages, mayWrite } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import { Button } from "../../ui/button.js";
import { Confirm } from "../../ui/confirm.js";
import { Alert, Field } from "../../ui/field.js";
import { FIRST_FIELD } from "../../ui/focus.js";
import { Dot } from "../../ui/label.js";
import { Page } from "../../ui/page.js";
import { Empty, Failed, Skeleton } from "../../ui/states.js";
import { Submit } from "../../ui/submit.js";
import { toast } from "../../ui/toasts.js";

/** The labels that are offered, with their colours. Owners and admins change them. */
export function Labels(): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const me = useMember();
  const mayManage = manages(me);
  const query = useQuery({ ...labelsQuery(), staleTime: QUIET_MS, enabled: me.role !== "billing" });
  const [isCreating, setCreating] = useState(false);
  const [removing, setRemoving] = useState<Label>();
  const readAgain = (): void => void client.invalidateQueries({ queryKey: ["labels"] });
  const failed = (error: unknown): void =>
    toast(t("failure.notSaved", { reason: failureOf(error).sentence }), { failed: true });
  const paint = useMutation({
    mutationFn: ({ id, colour }: Pick<Label, "id" | "colour">) => parley.labels.update(id, { colour }),
    onMutate: ({ id, colour }) =>
      client.setQueryData(labelsQuery().queryKey, (labels) =>
        labels?.map((label) => (label.id === id ? { ...label, colour } : label)),
      ),
    onError: failed,
    onSettled: readAgain,
  });
  const remove = useMutation({
    mutationFn: ({ id }: Label) => parley.labels.delete(id),
    onSuccess: (_, { name }) => toast(t("labels.removed", { name })),
    onError: failed,
    onSettled: () => {
      setRemoving(undefined);
      readAgain();
    },
  });

  const title = t("settings.section.labels");
  const { data: labels, error, isPending, refetch } = query;
  if (me.role === "billing")
    return (
      <Page title={title}>
        <Empty text={t("failure.forbidden")} />
      </Page>
    );
  const create = mayWrite(me) && (
    <Button look="primary" onClick={() => setCreating(true)}>
      {t("labels.create")}
    </Button>
  );
  return (
    <Page title={title} explain={t("labels.explain")} action={!isCreating && labels?.length !== 0 && create}>
      {isCreating && <CreateLabel onClose={() => setCreating(false)} />}
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {isPending && !error ? (
        <Skeleton lines={3} />
      ) : labels?.length === 0 ? (
        !isCreating && <Empty text={t("labels.empty")}>{create}</Empty>
      ) : (
        labels && (
          <ul aria-label={title} className="flex flex-col divide-y divide-line rounded-lg border border-line">
            {labels.map((label) => (
              <li key={label.id} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3 py-2">
                <Dot colour={label.colour} />
                <bdi className="min-w-32 flex-1 font-medium wrap-anywhere">{label.name}</bdi>
                {mayManage ? (
                  <>
                    <select
                      aria-label={t("labels.colourOf", { name: label.name })}
                      value={label.colour}
                      onChange={({ target }) => paint.mutate({ id: label.id, colour: target.value as Label["colour"] })}
                      className="h-7 rounded-md border border-edge bg-surface px-1 text-sm"
                    >
                      <Colours />
                    </select>
                    <Button small look="danger" onClick={() => setRemoving(label)}>
                      {t("labels.delete")}
                      <span className="sr-only"> {label.name}</span>
                    </Button>
                  </>
                ) : (
                  <span className="text-sm text-muted">{t(`labels.colour.${label.colour}`)}</span>
                )}
              </li>
            ))}
          </ul>
        )
      )}
      <Confirm
        open={removing !== undefined}
        title={t("labels.deleteTitle", { name: removing?.name })}
        verb={t("labels.delete")}
        danger
        busy={remove.isPending}
        onConfirm={() => removing && remove.mutate(removing)}
        onClose={() => setRemoving(undefined)}
      >
        {t("labels.deleteExplain")}
      </Confirm>
    </Page>
  );
}

function Colours(): ReactNode {
  const { t } = useTranslation();
  return LabelColour.map((colour) => (
    <option key={colour} value={colour}>
      {t(`labels.colour.${colour}`)}
    </option>
  ));
}

function CreateLabel({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [isMissing, setMissing] = useState(false);
  const [colour, setColour] = useState<Label["colour"]>("blue");
  const create = useMutation({
    mutationFn: (name: string) => parley.labels.create({ name, colour }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["labels"] });
      // One label seldom comes alone.
      form.current?.reset();
      form.current?.querySelector("input")?.focus();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const name = (new FormData(event.currentTarget).get("name") as string).trim();
    setMissing(name === "");
    if (name !== "" && !create.isPending) create.mutate(name);
  };
  return (
    <form
      ref={form}
      onSubmit={submit}
      noValidate
      className="mb-6 flex flex-col gap-4 rounded-lg border border-line bg-canvas p-4"
    >
      <Field
        label={t("labels.name")}
        hint={t("labels.nameHint")}
        name="name"
        maxLength={100}
        autoComplete="off"
        {...FIRST_FIELD}
        error={isMissing ? t("labels.nameNeeded") : undefined}
        className="max-w-md"
      />
      <label className="flex flex-col items-start gap-1">
        <span className="font-medium">{t("labels.colourLabel")}</span>
        <span className="flex items-center gap-2">
          <select
            value={colour}
            onChange={({ target }) => setColour(target.value as Label["colour"])}
            className="h-9 rounded-md border border-edge bg-surface px-2"
          >
            <Colours />
          </select>
          <Dot colour={colour} />
        </span>
      </label>
      {create.error && <Alert>{failureOf(create.error).sentence}</Alert>}
      <div className="flex flex-wrap gap-2">
        <Submit isBusy={create.isPending}>{t("labels.create")}</Submit>
        <Button onClick={onClose}>{t("common.close")}</Button>
      </div>
    </form>
  );
}
