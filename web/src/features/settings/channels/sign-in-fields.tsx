import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Check } from "../../../ui/check.js";
import { Field, Select } from "../../../ui/field.js";
import { bound, choose, PASSWORD, type Setup, signsIn } from "./draft.js";

const WAYS = [PASSWORD, "microsoft", "google", "other"] as const;

/** How the channel signs in to its mail servers: with a password, or at a provider. */
export function SignInFields({ setup }: { setup: Setup }): ReactNode {
  const { t } = useTranslation();
  const { draft, edit, wrong } = setup;
  const { signInWith, byItself } = draft;
  return (
    <>
      <Select
        label={t("channelSetup.signInWith")}
        hint={t("channelSetup.signInWithHint")}
        value={signInWith}
        onChange={({ target }) => edit(choose(target.value))}
      >
        {WAYS.map((way) => (
          <option key={way} value={way}>
            {t(`channelSetup.signInWays.${way}`)}
          </option>
        ))}
      </Select>
      {signInWith === "microsoft" && (
        <Select
          label={t("channelSetup.mailBy")}
          hint={t("channelSetup.mailByHint")}
          value={draft.byGraph ? "graph" : "servers"}
          error={wrong("settings.graph")}
          onChange={({ target }) => edit({ byGraph: target.value === "graph" })}
        >
          <option value="graph">Microsoft Graph</option>
          <option value="servers">{t("channelSetup.mailServers")}</option>
        </Select>
      )}
      {signsIn(draft) && (
        <fieldset className="flex flex-col gap-4 rounded-lg border border-line p-3">
          <legend className="sr-only">{t("channelSetup.signInWith")}</legend>
          <Field
            label={t("channelSetup.clientId")}
            hint={t("channelSetup.clientIdHint")}
            dir="ltr"
            maxLength={255}
            error={wrong("settings.signIn.clientId", t("channelSetup.clientIdWrong"))}
            {...bound(setup, "clientId")}
          />
          {signInWith === "microsoft" && (
            <Field
              label={t("channelSetup.tenant")}
              hint={t("channelSetup.tenantHint")}
              dir="ltr"
              maxLength={253}
              error={wrong("settings.signIn.tenant", t("channelSetup.tenantWrong"))}
              {...bound(setup, "tenant")}
            />
          )}
          {signInWith !== "google" && (
            <Check
              label={t("channelSetup.byItself")}
              hint={t("channelSetup.byItselfHint")}
              checked={byItself}
              onChange={({ target }) => edit({ byItself: target.checked })}
            />
          )}
          {signInWith === "other" && <OtherProvider setup={setup} />}
        </fieldset>
      )}
    </>
  );
}

function OtherProvider({ setup }: { setup: Setup }): ReactNode {
  const { t } = useTranslation();
  const { draft, wrong } = setup;
  const address = (name: "issuer" | "authorizeUrl" | "tokenUrl" | "userinfoUrl", hint?: string): ReactNode => (
    <Field
      label={t(`channelSetup.${name}`)}
      hint={hint}
      type="url"
      dir="ltr"
      maxLength={500}
      error={wrong(`settings.signIn.${name}`, t("channelSetup.httpsWrong"))}
      {...bound(setup, name)}
    />
  );
  return (
    <>
      {!draft.byItself && address("issuer", t("channelSetup.issuerHint"))}
      {!draft.byItself && address("authorizeUrl")}
      {address("tokenUrl")}
      {!draft.byItself && address("userinfoUrl", t("channelSetup.userinfoUrlHint"))}
      <Field
        label={t("channelSetup.scopes")}
        hint={t("channelSetup.scopesHint")}
        dir="ltr"
        error={wrong("settings.signIn.scopes")}
        {...bound(setup, "scopes")}
      />
    </>
  );
}
