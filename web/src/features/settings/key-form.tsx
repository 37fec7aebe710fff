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
const ALL = Object.values(GROUPS).flat();
/** The scopes that many integrations begin with. */
const PRESETS: { name: "readOnly" | "reply" | "everything"; scopes: Scope[] }[] = [
  { name: "readOnly", scopes: ALL.filter((scope) => scope.endsWith(":read")) },
  { name: "reply", scopes: ["conversations:read", "conversations:write"] },
  { name: "everything", scopes: ALL },
];
const DAY_MS = 86_400_000;
const DAYS = [30, 90, 365];
/** The expiry stays as it is. */
const AS_BEFORE = "before";

/**
 * The form for a new key, or for what can be changed of one. It asks for the least: a new key has no scope beforehand.
 * @param of the key that is changed
 * @param onDone gets the secret of a new key
 */
export function KeyForm({
  of,
  withRecentSignIn,
  onDone,
  onCancel,
}: {
  of?: Schemas["ApiKey"];
  withRecentSignIn: <T>(run: () => Promise<T>) => Promise<T>;
  onDone: (key?: string) => void;
  onCancel: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>(new Set(of?.scopes));
  const [problem, setProblem] = useState<"name" | "scopes">();
  const dataScopes = useDataScopes();
  const save = useMutation({
    mutationFn: (run: () => Promise<string | undefined>) => withRecentSignIn(run),
    onSuccess: onDone,
  });

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const name = (form.get("name") as string).trim();
    const missing = !name ? "name" : scopes.size === 0 ? "scopes" : undefined;
    setProblem(missing);
    if (missing) return;
    const expires = form.get("expires") as string;
    const expiry = expires !== AS_BEFORE && {
      expiresAt: expires === "0" ? null : new Date(Date.now() + Number(expires) * DAY_MS).toISOString(),
    };
    save.mutate(async () => {
      const given = { name, scopes: [...scopes], ...expiry };
      if (!of) return (await parley.apiKeys.create({ ...given, dataScope: dataScopeOf(form.get("data")) })).key;
      // Only what was changed here: a scope that a colleague takes away meanwhile stays away.
      await parley.apiKeys.update(of.id, {
        ...(name !== of.name && { name }),
        ...(!hasExactly(scopes, of.scopes) && { scopes: given.scopes }),
        ...expiry,
      });
      return undefined;
    });
  };
  const toggle = (scope: Scope): void => {
    const next = new Set(scopes);
    if (!next.delete(scope)) next.add(scope);
    setScopes(next);
  };
  return (
    <form
      onSubmit={submit}
      noValidate
      className={`flex flex-col gap-5 ${of ? "" : "mb-6 rounded-lg border border-line bg-canvas p-4"}`}
    >
      <Field
        label={t("apiKeys.name")}
        name="name"
        hint={t("apiKeys.nameHint")}
        defaultValue={of?.name}
        error={problem === "name" ? t("apiKeys.nameNeeded") : undefined}
        maxLength={200}
        {...FIRST_FIELD}
        className="max-w-md"
      />
      <fieldset className="flex flex-col gap-4">
        <legend className="mb-2 font-medium">{t("apiKeys.scopes")}</legend>
        <div className="flex flex-wrap gap-2">
          {PRESETS.map((preset) => {
            const isChosen = hasExactly(scopes, preset.scopes);
            return (
              <button
                key={preset.name}
                type="button"
                aria-pressed={isChosen}
                onClick={() => setScopes(new Set(preset.scopes))}
                className={`h-7 rounded-full border px-2.5 text-sm font-medium ${isChosen ? "border-accent bg-selected text-accent-strong" : "border-line text-muted hover:bg-hover"}`}
              >
                {t(`apiKeys.preset.${preset.name}`)}
              </button>
            );
          })}
        </div>
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
        {!of && (
          <Select label={t("apiKeys.dataScope")} name="data">
            {dataScopes.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        )}
        <Select label={t("apiKeys.expires")} name="expires">
          {of && <option value={AS_BEFORE}>{t("apiKeys.asBefore")}</option>}
          <option value="0">{t("apiKeys.never")}</option>
          {DAYS.map((count) => (
            <option key={count} value={count}>
              {t("apiKeys.inDays", { count })}
            </option>
          ))}
        </Select>
      </div>
      {save.error && <Alert>{failureOf(save.error).sentence}</Alert>}
      <div className="flex gap-2">
        <Submit isBusy={save.isPending}>{t(of ? "common.save" : "apiKeys.create")}</Submit>
        <Button onClick={onCancel}>{t("common.cancel")}</Button>
      </div>
    </form>
  );
}

const hasExactly = (scopes: ReadonlySet<Scope>, others: readonly Scope[]): boolean =>
  scopes.size === others.length && others.every((scope) => scopes.has(scope));

/** What a key can reach: everything, a brand or a workspace. */
export function useDataScopes(): { value: string; label: string }[] {
  const { t } = useTranslation();
  const { data: workspaces = [] } = useQuery(workspacesQuery());
  const { data: brands = [] } = useQuery(brandsQuery());
  return [
    { value: "organisation", label: t("apiKeys.tenant") },
    ...brands.map(({ id, name }) => ({ value: `brand:${id}`, label: t("apiKeys.brand", { name }) })),
    ...workspaces.map(({ id, name }) => ({ value: `workspace:${id}`, label: t("apiKeys.workspace", { name }) })),
  ];
}

/** Its value in `useDataScopes`. */
export function optionOf({ level, brandId, workspaceId }: Schemas["DataScope"]): string {
  const id = brandId ?? workspaceId;
  return id ? `${level}:${id}` : level;
}

function dataScopeOf(value: FormDataEntryValue | null): Schemas["DataScope"] {
  const [level, id] = (value as string).split(":") as [Schemas["DataScope"]["level"], string?];
  return { level, ...(level === "brand" && { brandId: id }), ...(level === "workspace" && { workspaceId: id }) };
}
