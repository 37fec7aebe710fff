import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { parley, type Schemas } from "../../api/parley.js";
import { workspacesQuery } from "../../api/queries.js";
import { Button } from "../../ui/button.js";
import { Alert, Field, Select } from "../../ui/field.js";
import { FIRST_FIELD } from "../../ui/focus.js";
import { Submit } from "../../ui/submit.js";
import { brandsQuery } from "./workspaces/queries.js";

type Scope = Schemas["Scope"];

const GROUPS: Record<string, Scope[]> = {
  conversations: ["conversations:read", "conversations:write", "cases:read"],
  contacts: ["contacts:read", "contacts:write", "accounts:read", "accounts:write"],
  knowledge: ["kb:read", "kb:write", "policy:read", "policy:write", "agents:read", "agents:write"],
  setup: ["workspaces:read", "workspaces:write", "channels:read", "channels:write"],
  rest: ["calendar:read", "calendar:write", "quality:read", "quality:write"],
};
const DAY_MS = 86_400_000;
const DAYS = [30, 90, 365];

/** The form for a new key. It asks for the least: no scope is chosen beforehand. */
export function CreateKey({
  withRecentSignIn,
  onCreated,
  onCancel,
}: {
  withRecentSignIn: <T>(run: () => Promise<T>) => Promise<T>;
  onCreated: (key: string) => void;
  onCancel: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>(new Set());
  const [problem, setProblem] = useState<"name" | "scopes">();
  const { data: workspaces } = useQuery(workspacesQuery());
  const { data: brands } = useQuery(brandsQuery());
  const create = useMutation({
    mutationFn: (body: Schemas["CreateApiKey"]) => withRecentSignIn(() => parley.apiKeys.create(body)),
    onSuccess: ({ key }) => onCreated(key),
  });

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const name = (form.get("name") as string).trim();
    const missing = !name ? "name" : scopes.size === 0 ? "scopes" : undefined;
    setProblem(missing);
    if (missing) return;
    const days = Number(form.get("expires"));
    const [level, id] = (form.get("data") as string).split(":") as [Schemas["DataScope"]["level"], string?];
    create.mutate({
      name,
      scopes: [...scopes],
      expiresAt: days ? new Date(Date.now() + days * DAY_MS).toISOString() : null,
      dataScope: {
        level,
        ...(level === "brand" && { brandId: id }),
        ...(level === "workspace" && { workspaceId: id }),
      },
    });
  };
  const toggle = (scope: Scope): void => {
    const next = new Set(scopes);
    if (!next.delete(scope)) next.add(scope);
    setScopes(next);
  };
  return (
    <form onSubmit={submit} noValidate className="mb-6 flex flex-col gap-5 rounded-lg border border-line bg-canvas p-4">
      <Field
        label={t("apiKeys.name")}
        name="name"
        hint={t("apiKeys.nameHint")}
        error={problem === "name" ? t("apiKeys.nameNeeded") : undefined}
        maxLength={200}
        {...FIRST_FIELD}
        className="max-w-md"
      />
      <fieldset className="flex flex-col gap-4">
        <legend className="mb-2 font-medium">{t("apiKeys.scopes")}</legend>
        <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
          {Object.entries(GROUPS).map(([group, members]) => (
            <div
              key={group}
              role="group"
              aria-label={t(`apiKeys.group.${group as "rest"}`)}
              className="flex flex-col gap-2"
            >
              <p className="text-sm font-semibold text-muted">{t(`apiKeys.group.${group as "rest"}`)}</p>
              {members.map((scope) => (
                <div key={scope} className="flex gap-2">
                  <input
                    id={`scope-${scope}`}
                    type="checkbox"
                    checked={scopes.has(scope)}
                    onChange={() => toggle(scope)}
                    aria-describedby={`scope-${scope}-meaning`}
                    className="mt-1 size-4 shrink-0 accent-accent"
                  />
                  <div>
                    <label htmlFor={`scope-${scope}`} className="font-mono text-sm">
                      {scope}
                    </label>
                    <p id={`scope-${scope}-meaning`} className="text-sm text-muted">
                      {t(`scope.${scope.replace(":", "_") as "kb_read"}`)}
                    </p>
                  </div>
                </div>
              ))}
            </div>
          ))}
        </div>
        {problem === "scopes" && <Alert>{t("apiKeys.pickScope")}</Alert>}
      </fieldset>
      <div className="grid max-w-2xl gap-4 sm:grid-cols-2">
        <Select label={t("apiKeys.dataScope")} name="data">
          <option value="organisation">{t("apiKeys.tenant")}</option>
          {brands?.map(({ id, name }) => (
            <option key={id} value={`brand:${id}`}>
              {t("apiKeys.brand", { name })}
            </option>
          ))}
          {workspaces?.map(({ id, name }) => (
            <option key={id} value={`workspace:${id}`}>
              {t("apiKeys.workspace", { name })}
            </option>
          ))}
        </Select>
        <Select label={t("apiKeys.expires")} name="expires">
          <option value="0">{t("apiKeys.never")}</option>
          {DAYS.map((count) => (
            <option key={count} value={count}>
              {t("apiKeys.inDays", { count })}
            </option>
          ))}
        </Select>
      </div>
      {create.error && <Alert>{failureOf(create.error).sentence}</Alert>}
      <div className="flex gap-2">
        <Submit isBusy={create.isPending}>{t("apiKeys.create")}</Submit>
        <Button onClick={onCancel}>{t("common.cancel")}</Button>
      </div>
    </form>
  );
}
