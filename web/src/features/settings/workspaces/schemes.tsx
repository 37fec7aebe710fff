import { EidMatch } from "@parley/sdk/enums";
import { type ComponentProps, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { parley, type Schemas } from "../../../api/parley.js";
import { Check } from "../../../ui/check.js";
import { Copyable } from "../../../ui/copyable.js";
import { Field, Select } from "../../../ui/field.js";
import { useFirstFocus } from "../../../ui/focus.js";
import { TextArea } from "../../../ui/text-area.js";
import { orDefaults } from "../edits.js";
import { type ItemForm, NamedList } from "../named-list.js";
import { schemesQuery } from "./queries.js";

type Scheme = Schemas["EidScheme"];
type Sent = Schemas["PutEidScheme"];
type Match = Schemas["EidMatch"];

const BINDING = ["birthdateAttribute", "identifierClaim", "identifierAttribute"].map((name) => `binding.${name}`);

/** As it is sent without a change. A secret that is left out stays. */
const kept = ({ hasSecret: _, ...scheme }: Scheme): Sent => scheme;

/** The providers of electronic identities that the workspace accepts. */
export function Schemes({ workspaceId }: { workspaceId: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <NamedList<Scheme, Sent>
      title={t("eid.title")}
      explain={t("eid.explain")}
      add={t("eid.add")}
      field="schemes"
      fields={["name", "issuer", "clientId", "clientSecret", "acrValues", "personIdentifierClaim", ...BINDING]}
      query={schemesQuery(workspaceId)}
      detail={({ issuer, binding }) => `${issuer}, ${t(`eid.match.${binding.match}`)}`}
      hasSecret={({ hasSecret }) => hasSecret}
      removeExplain={t("eid.removeExplain")}
      kept={kept}
      replace={async (schemes) => (await parley.eidSchemes.replace(workspaceId, { schemes })).schemes}
      foot={
        <Copyable
          label={t("eid.redirect")}
          hint={t("eid.redirectHint")}
          value={`${location.origin}/api/public/eid/callback`}
        />
      }
    >
      {(form) => <SchemeForm {...form} />}
    </NamedList>
  );
}

const draftOf = (item?: Scheme) => ({
  ...orDefaults(item, { name: "", issuer: "", clientId: "", personIdentifierClaim: "sub" }),
  ...orDefaults<{ match: Match } & Record<"birthdateAttribute" | "identifierClaim" | "identifierAttribute", string>>(
    item?.binding,
    { match: "none", birthdateAttribute: "birthdate", identifierClaim: "", identifierAttribute: "" },
  ),
  clientSecret: "",
  forgets: false,
  acrValues: item?.acrValues.join("\n") ?? "",
});
type Draft = ReturnType<typeof draftOf>;

const sentOf = (draft: Draft): Sent => ({
  name: draft.name.trim(),
  issuer: draft.issuer.trim(),
  clientId: draft.clientId.trim(),
  ...(draft.clientSecret ? { clientSecret: draft.clientSecret } : draft.forgets && { clientSecret: null }),
  acrValues: draft.acrValues
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean),
  personIdentifierClaim: draft.personIdentifierClaim.trim(),
  binding: {
    match: draft.match,
    ...(draft.match === "name_and_birthdate" && { birthdateAttribute: draft.birthdateAttribute.trim() }),
    identifierClaim: (draft.match === "identifier" && draft.identifierClaim.trim()) || null,
    identifierAttribute: (draft.match === "identifier" && draft.identifierAttribute.trim()) || null,
  },
});

/** What makes a field one of the draft. */
type Bound = (name: Exclude<keyof Draft, "forgets">) => ComponentProps<"input"> & ComponentProps<"textarea">;

function SchemeForm({ item, wrong, form, send, end }: ItemForm<Scheme, Sent>): ReactNode {
  const { t } = useTranslation();
  const first = useFirstFocus<HTMLInputElement>(item === undefined);
  const [draft, setDraft] = useState(() => draftOf(item));
  const edit = (change: Partial<typeof draft>): void => setDraft({ ...draft, ...change });
  const bound: Bound = (name) => ({
    value: draft[name],
    dir: "ltr",
    autoComplete: "off",
    onChange: ({ target }) => edit({ [name]: target.value }),
  });
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send(sentOf(draft));
      }}
      className="flex flex-col gap-4"
    >
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field
          ref={first}
          label={t("sources.name")}
          hint={t(item ? "eid.nameStays" : "eid.nameHint")}
          disabled={item !== undefined}
          maxLength={40}
          error={wrong("name") && t("eid.nameWrong")}
          {...bound("name")}
        />
        <Field
          label={t("eid.issuer")}
          hint={t("eid.issuerHint")}
          type="url"
          placeholder="https://eid.example.com"
          error={wrong("issuer") && t("sources.urlWrong")}
          {...bound("issuer")}
        />
        <Field
          label={t("eid.clientId")}
          maxLength={200}
          error={wrong("clientId") && t("setup.text", { max: 200 })}
          {...bound("clientId")}
        />
        <Field
          label={t("eid.clientSecret")}
          hint={t(item?.hasSecret ? "sources.secretStays" : "eid.clientSecretHint")}
          type="password"
          error={wrong("clientSecret")}
          {...bound("clientSecret")}
          autoComplete="new-password"
        />
      </div>
      {item?.hasSecret && (
        <Check
          label={t("sources.forget")}
          checked={draft.forgets}
          onChange={({ target }) => edit({ forgets: target.checked })}
        />
      )}
      <TextArea
        label={t("eid.acrValues")}
        hint={t("eid.acrValuesHint")}
        error={wrong("acrValues")}
        {...bound("acrValues")}
      />
      <Field
        label={t("eid.personIdentifierClaim")}
        hint={t("eid.personIdentifierClaimHint")}
        maxLength={100}
        error={wrong("personIdentifierClaim") && t("setup.text", { max: 100 })}
        {...bound("personIdentifierClaim")}
      />
      <Binding match={draft.match} onMatch={(match) => edit({ match })} bound={bound} wrong={wrong} />
      {end}
    </form>
  );
}

/** How the identity is compared with the contact. */
function Binding({
  match,
  onMatch,
  bound,
  wrong,
}: {
  match: Match;
  onMatch: (match: Match) => void;
  bound: Bound;
  wrong: ItemForm<Scheme, Sent>["wrong"];
}): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <Select
        label={t("eid.binding")}
        hint={t(`eid.matchMeaning.${match}`)}
        value={match}
        onChange={({ target }) => onMatch(target.value as Match)}
      >
        {EidMatch.map((one) => (
          <option key={one} value={one}>
            {t(`eid.match.${one}`)}
          </option>
        ))}
      </Select>
      {match === "name_and_birthdate" && (
        <Field
          label={t("eid.birthdateAttribute")}
          maxLength={100}
          error={wrong("binding.birthdateAttribute") && t("setup.text", { max: 100 })}
          {...bound("birthdateAttribute")}
        />
      )}
      {match === "identifier" && (
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <Field
            label={t("eid.identifierClaim")}
            maxLength={100}
            error={wrong("binding.identifierClaim") && t("setup.text", { max: 100 })}
            {...bound("identifierClaim")}
          />
          <Field
            label={t("eid.identifierAttribute")}
            hint={t("eid.identifierAttributeHint")}
            maxLength={100}
            error={wrong("binding.identifierAttribute") && t("setup.text", { max: 100 })}
            {...bound("identifierAttribute")}
          />
        </div>
      )}
    </>
  );
}
