import { X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { parley, type Schemas } from "../../../api/parley.js";
import { Button, IconButton } from "../../../ui/button.js";
import { Check } from "../../../ui/check.js";
import { Field, Select } from "../../../ui/field.js";
import { useFirstFocus } from "../../../ui/focus.js";
import { type ItemForm, NamedList } from "../named-list.js";
import { sourcesQuery } from "./queries.js";

type Source = Schemas["VerificationSource"];
type Sent = Schemas["PutVerificationSource"];

/** As it is sent without a change. Credentials that are left out stay. */
const kept = ({ name, type, url, questions }: Source): Sent => ({
  name,
  type,
  ...(url !== null && { url }),
  questions: questions.map(({ key, prompt, attribute, path }) => ({
    key,
    prompt,
    ...(attribute !== null && { attribute }),
    ...(path !== null && { path }),
  })),
});

const MAX_QUESTIONS = 20;
/** The fields of its questions, as the server names them. */
const QUESTIONS = Array.from({ length: MAX_QUESTIONS }, (_, i) =>
  ["key", "prompt", "attribute", "path"].map((name) => `questions.${i}.${name}`),
).flat();

/** Where the right answers to questions come from. */
export function Sources({ workspaceId }: { workspaceId: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <NamedList<Source, Sent>
      title={t("sources.title")}
      explain={t("sources.explain")}
      add={t("sources.add")}
      field="sources"
      fields={["name", "url", "credentials.authorization", ...QUESTIONS]}
      query={sourcesQuery(workspaceId)}
      detail={({ type, url, questions }) =>
        [t(`sources.type.${type}`), url, t("sources.count", { count: questions.length })].filter(Boolean).join(", ")
      }
      hasSecret={({ hasCredentials }) => hasCredentials}
      removeExplain={t("sources.removeExplain")}
      kept={kept}
      replace={async (sources) => (await parley.verificationSources.replace(workspaceId, { sources })).sources}
    >
      {(form) => <SourceForm {...form} />}
    </NamedList>
  );
}

const blank = { key: "", prompt: "", at: "" };

function SourceForm({ item, wrong, form, send, end }: ItemForm<Source, Sent>): ReactNode {
  const { t } = useTranslation();
  const first = useFirstFocus<HTMLInputElement>(item === undefined);
  const [draft, setDraft] = useState({
    name: item?.name ?? "",
    type: item?.type ?? "contact_attributes",
    url: item?.url ?? "",
    authorization: "",
    forgets: false,
    questions: item?.questions.map(({ key, prompt, attribute, path }) => ({
      key,
      prompt,
      at: attribute ?? path ?? "",
    })) ?? [blank],
  });
  const edit = (change: Partial<typeof draft>): void => setDraft({ ...draft, ...change });
  const isHttp = draft.type === "http";
  const read = (): Sent => ({
    name: draft.name.trim(),
    type: draft.type,
    ...(isHttp && { url: draft.url.trim() }),
    ...(isHttp && draft.authorization && { credentials: { authorization: draft.authorization } }),
    ...(isHttp && draft.forgets && !draft.authorization && { credentials: null }),
    questions: draft.questions.map(({ key, prompt, at }) => ({
      key: key.trim(),
      prompt,
      ...(isHttp ? { path: at.trim() } : { attribute: at.trim() }),
    })),
  });
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send(read());
      }}
      className="flex flex-col gap-4"
    >
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field
          ref={first}
          label={t("sources.name")}
          hint={t(item ? "sources.nameStays" : "sources.nameHint")}
          value={draft.name}
          disabled={item !== undefined}
          dir="ltr"
          maxLength={40}
          autoComplete="off"
          error={wrong("name") && t("sources.nameWrong")}
          onChange={({ target }) => edit({ name: target.value })}
        />
        <Select
          label={t("sources.kind")}
          hint={t(`sources.meaning.${draft.type}`)}
          value={draft.type}
          onChange={({ target }) => edit({ type: target.value as Source["type"] })}
        >
          <option value="contact_attributes">{t("sources.type.contact_attributes")}</option>
          <option value="http">{t("sources.type.http")}</option>
        </Select>
      </div>
      {isHttp && (
        <>
          <Field
            label={t("sources.url")}
            hint={t("sources.urlHint")}
            type="url"
            dir="ltr"
            placeholder="https://crm.example.com/lookup"
            value={draft.url}
            autoComplete="off"
            error={wrong("url") && t("sources.urlWrong")}
            onChange={({ target }) => edit({ url: target.value })}
          />
          <Field
            label={t("sources.authorization")}
            hint={t(item?.hasCredentials ? "sources.secretStays" : "sources.authorizationHint")}
            type="password"
            dir="ltr"
            value={draft.authorization}
            autoComplete="new-password"
            error={wrong("credentials.authorization")}
            onChange={({ target }) => edit({ authorization: target.value })}
          />
          {item?.hasCredentials && (
            <Check
              label={t("sources.forget")}
              checked={draft.forgets}
              onChange={({ target }) => edit({ forgets: target.checked })}
            />
          )}
        </>
      )}
      <fieldset className="flex flex-col gap-3">
        <legend className="mb-1 font-medium">{t("sources.questions")}</legend>
        {draft.questions.map((question, i) => {
          const change = (of: Partial<typeof blank>): void =>
            edit({ questions: draft.questions.map((one, at) => (at === i ? { ...one, ...of } : one)) });
          const about = `questions.${i}`;
          return (
            <div
              key={i}
              role="group"
              aria-label={t("sources.nth", { n: i + 1 })}
              className="flex items-start gap-1 rounded-lg border border-line p-3"
            >
              <div className="grid min-w-0 flex-1 items-start gap-3 sm:grid-cols-2">
                <Field
                  label={t("sources.prompt")}
                  value={question.prompt}
                  dir="auto"
                  maxLength={500}
                  autoComplete="off"
                  error={wrong(`${about}.prompt`) && t("setup.text", { max: 500 })}
                  onChange={({ target }) => change({ prompt: target.value })}
                  className="sm:col-span-2"
                />
                <Field
                  label={t("sources.key")}
                  hint={t("sources.nameHint")}
                  value={question.key}
                  dir="ltr"
                  maxLength={40}
                  autoComplete="off"
                  error={wrong(`${about}.key`) && t("sources.nameWrong")}
                  onChange={({ target }) => change({ key: target.value })}
                />
                <Field
                  label={t(isHttp ? "sources.path" : "sources.attribute")}
                  hint={t(isHttp ? "sources.pathHint" : "sources.attributeHint")}
                  value={question.at}
                  dir="ltr"
                  maxLength={200}
                  autoComplete="off"
                  error={
                    wrong(`${about}.${isHttp ? "path" : "attribute"}`) &&
                    t(isHttp ? "sources.pathWrong" : "sources.attributeWrong")
                  }
                  onChange={({ target }) => change({ at: target.value })}
                />
              </div>
              {draft.questions.length > 1 && (
                <IconButton
                  label={t("settings.removeNamed", { name: t("sources.nth", { n: i + 1 }) })}
                  onClick={() => edit({ questions: draft.questions.filter((_, at) => at !== i) })}
                >
                  <X size={16} />
                </IconButton>
              )}
            </div>
          );
        })}
        <Button
          small
          disabled={draft.questions.length === MAX_QUESTIONS}
          className="self-start"
          onClick={() => edit({ questions: [...draft.questions, blank] })}
        >
          {t("sources.addQuestion")}
        </Button>
      </fieldset>
      {end}
    </form>
  );
}
