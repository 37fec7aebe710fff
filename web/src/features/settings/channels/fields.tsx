import { Quote } from "@parley/sdk/enums";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Check } from "../../../ui/check.js";
import { Field, Select } from "../../../ui/field.js";
import { NumberField } from "../edits.js";
import { TextArea } from "../../../ui/text-area.js";
import { OF_WIDGETS } from "../widgets/languages.js";
import { LanguageOptions } from "../workspaces/options.js";
import {
  bound,
  type credentialsOf,
  hasAddress,
  type Inbound,
  INBOUND,
  type Setup,
  signsIn,
  usesGraph,
} from "./draft.js";
import { newSecret } from "./webhook-secrets.js";
import { SignInFields } from "./sign-in-fields.js";
import type { ChannelType } from "./queries.js";

/** Name, address and the settings of a channel of this type. */
export function ChannelFields({ type, setup }: { type: ChannelType; setup: Setup }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <Field
        label={t("channelSetup.name")}
        hint={t("channelSetup.nameHint")}
        dir="auto"
        maxLength={200}
        error={setup.wrong("name", t("setup.text", { max: 200 }))}
        {...bound(setup, "name")}
      />
      {hasAddress(type) && (
        <Field
          label={t(type === "email" ? "channelSetup.emailAddress" : "channelSetup.number")}
          hint={type === "email" ? undefined : t("channelSetup.numberHint")}
          type={type === "email" ? "email" : "tel"}
          error={setup.wrong(
            "address",
            t(type === "email" ? "channelSetup.emailAddressWrong" : "channelSetup.numberWrong"),
          )}
          {...bound(setup, "address")}
        />
      )}
      {type === "email" && <EmailFields setup={setup} />}
      {type === "webchat" && <WebchatFields setup={setup} />}
      {type === "voice" && <VoiceFields setup={setup} />}
      {(type === "sms" || type === "voice") && <ProviderFields type={type} setup={setup} />}
    </>
  );
}

function EmailFields({ setup }: { setup: Setup }): ReactNode {
  const { t } = useTranslation();
  const { draft, edit, wrong } = setup;
  return (
    <>
      <Field
        label={t("channelSetup.fromName")}
        hint={t("channelSetup.fromNameHint")}
        dir="auto"
        maxLength={200}
        error={wrong("settings.fromName")}
        {...bound(setup, "fromName")}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Select
          label={t("channelSetup.quote")}
          value={draft.quote}
          onChange={({ target }) => edit({ quote: target.value })}
        >
          {Quote.map((one) => (
            <option key={one} value={one}>
              {t(`channelSetup.quotes.${one}`)}
            </option>
          ))}
        </Select>
        <NumberField
          edits={setup}
          name="maxMessageMb"
          path="settings.maxMessageMb"
          label={t("channelSetup.maxMessageMb")}
          hint={t("channelSetup.maxMessageMbHint")}
          min={1}
          max={100}
        />
      </div>
      <SignInFields setup={setup} />
      {!usesGraph(draft) && <MailServer title={t("channelSetup.sending")} of="smtp" setup={setup} />}
      <Field
        label={t("channelSetup.dkimSelector")}
        hint={t("channelSetup.dkimSelectorHint")}
        dir="ltr"
        placeholder="selector1"
        maxLength={100}
        error={wrong("settings.dkimSelector")}
        {...bound(setup, "dkimSelector")}
      />
      <Check
        label={t("channelSetup.receives")}
        hint={t("channelSetup.receivesHint")}
        checked={draft.receives}
        onChange={({ target }) => edit({ receives: target.checked })}
      />
      {draft.receives && (
        <>
          {!usesGraph(draft) && <Receiving setup={setup} />}
          <Check
            label={t("channelSetup.plusAddressing")}
            hint={t("channelSetup.plusAddressingHint")}
            checked={draft.plusAddressing}
            onChange={({ target }) => edit({ plusAddressing: target.checked })}
          />
        </>
      )}
    </>
  );
}

/** By IMAP, or by a provider that sends mails to us. */
function Receiving({ setup }: { setup: Setup }): ReactNode {
  const { t } = useTranslation();
  const { draft, edit } = setup;
  if (signsIn(draft)) return <ReceivingServer setup={setup} />;
  return (
    <>
      <Select
        label={t("inbound.by")}
        hint={t("inbound.byHint")}
        value={draft.inbound}
        onChange={({ target }) => edit({ inbound: target.value as Inbound })}
      >
        {INBOUND.map((one) => (
          <option key={one} value={one}>
            {t(`inbound.ways.${one}`)}
          </option>
        ))}
      </Select>
      {draft.inbound === "imap" ? <ReceivingServer setup={setup} /> : <p>{t(`inbound.explain.${draft.inbound}`)}</p>}
      {draft.inbound === "ses" && <SesFields setup={setup} />}
    </>
  );
}

function SesFields({ setup }: { setup: Setup }): ReactNode {
  const { t } = useTranslation();
  const { wrong } = setup;
  return (
    <>
      <Field
        label={t("inbound.topicArn")}
        hint={t("inbound.topicArnHint")}
        dir="ltr"
        placeholder="arn:aws:sns:eu-central-1:123456789012:incoming-mail"
        error={wrong("settings.inbound.topicArn", t("inbound.topicArnWrong"))}
        {...bound(setup, "topicArn")}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field
          label={t("inbound.bucket")}
          hint={t("inbound.bucketHint")}
          dir="ltr"
          error={wrong("settings.inbound.bucket", t("inbound.bucketWrong"))}
          {...bound(setup, "bucket")}
        />
        <Field
          label={t("inbound.bucketRegion")}
          hint={t("inbound.bucketRegionHint")}
          dir="ltr"
          placeholder="eu-central-1"
          error={wrong("settings.inbound.bucketRegion", t("inbound.bucketRegionWrong"))}
          {...bound(setup, "bucketRegion")}
        />
      </div>
    </>
  );
}

function ReceivingServer({ setup }: { setup: Setup }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <MailServer title={t("channelSetup.receiving")} of="imap" setup={setup} />
      <Field
        label={t("channelSetup.authenticatedBy")}
        hint={t("channelSetup.authenticatedByHint")}
        dir="ltr"
        placeholder="mx.example.com"
        maxLength={253}
        error={setup.wrong("settings.imap.authenticatedBy")}
        {...bound(setup, "authenticatedBy")}
      />
    </>
  );
}

function MailServer({ title, of, setup }: { title: string; of: "smtp" | "imap"; setup: Setup }): ReactNode {
  const { t } = useTranslation();
  const { draft, edit, wrong } = setup;
  return (
    <fieldset>
      <legend className="mb-2 font-medium">{title}</legend>
      <div className="grid grid-cols-2 items-start gap-4 rounded-lg border border-line p-3 max-lg:*:first:col-span-2 lg:grid-cols-[1fr_7rem_11rem]">
        <Field
          label={t("channelSetup.server")}
          dir="ltr"
          placeholder={`${of}.example.com`}
          error={wrong(`settings.${of}.host`, t("channelSetup.serverWrong"))}
          {...bound(setup, `${of}Host`)}
        />
        <Field
          label={t("channelSetup.port")}
          type="number"
          inputMode="numeric"
          min={1}
          max={65_535}
          error={wrong(`settings.${of}.port`, t("setup.number", { min: 1, max: 65_535 }))}
          {...bound(setup, `${of}Port`)}
        />
        <Select
          label={t("channelSetup.encryption")}
          value={draft[`${of}Security`]}
          onChange={({ target }) => edit({ [`${of}Security`]: target.value })}
        >
          <option value="tls">TLS</option>
          <option value="starttls">STARTTLS</option>
          <option value="none">{t("channelSetup.unencrypted")}</option>
        </Select>
      </div>
    </fieldset>
  );
}

function WebchatFields({ setup }: { setup: Setup }): ReactNode {
  const { t } = useTranslation();
  const { draft, edit, wrong } = setup;
  return (
    <>
      <TextArea
        label={t("channelSetup.origins")}
        hint={t("channelSetup.originsHint")}
        dir="ltr"
        placeholder="https://www.example.com"
        error={wrong("settings.allowedOrigins", t("channelSetup.originsWrong"))}
        {...bound(setup, "allowedOrigins")}
      />
      <Field
        label={t("channelSetup.title")}
        hint={t("channelSetup.titleHint")}
        dir="auto"
        maxLength={60}
        error={wrong("settings.title", t("setup.text", { max: 60 }))}
        {...bound(setup, "title")}
      />
      <TextArea
        label={t("channelSetup.greeting")}
        hint={t("channelSetup.greetingHint")}
        dir="auto"
        maxLength={500}
        error={wrong("settings.greeting", t("setup.text", { max: 500 }))}
        {...bound(setup, "greeting")}
      />
      <div className="grid items-start gap-4 sm:grid-cols-3">
        <Field
          label={t("channelSetup.colour")}
          type="color"
          error={wrong("settings.colour")}
          {...bound(setup, "colour")}
        />
        <Select
          label={t("channelSetup.position")}
          value={draft.position}
          onChange={({ target }) => edit({ position: target.value })}
        >
          <option value="end">{t("channelSetup.positionEnd")}</option>
          <option value="start">{t("channelSetup.positionStart")}</option>
        </Select>
        <Select
          label={t("channelSetup.language")}
          value={draft.language}
          error={wrong("settings.language")}
          onChange={({ target }) => edit({ language: target.value })}
        >
          <option value="">{t("channelSetup.ofWorkspace")}</option>
          <LanguageOptions current={draft.language || null} offered={OF_WIDGETS} />
        </Select>
      </div>
      <Check
        label={t("channelSetup.requireIdentity")}
        hint={t("channelSetup.requireIdentityHint")}
        checked={draft.requireIdentity}
        onChange={({ target }) => edit({ requireIdentity: target.checked })}
      />
    </>
  );
}

function VoiceFields({ setup }: { setup: Setup }): ReactNode {
  const { t } = useTranslation();
  const { draft, edit, wrong } = setup;
  return (
    <>
      <Field
        label={t("channelSetup.forwardTo")}
        hint={t("channelSetup.forwardToHint")}
        type="tel"
        error={wrong("settings.forwardTo", t("channelSetup.numberWrong"))}
        {...bound(setup, "forwardTo")}
      />
      <TextArea
        label={t("channelSetup.spoken")}
        hint={t("channelSetup.spokenHint")}
        dir="auto"
        maxLength={1_000}
        error={wrong("settings.greeting", t("setup.text", { max: 1_000 }))}
        {...bound(setup, "greeting")}
      />
      <Check
        label={t("channelSetup.voicemail")}
        hint={t("channelSetup.voicemailHint")}
        checked={draft.voicemail}
        onChange={({ target }) => edit({ voicemail: target.checked })}
      />
      <Check
        label={t("channelSetup.transcribe")}
        hint={t("channelSetup.transcribeHint")}
        checked={draft.transcribe}
        onChange={({ target }) => edit({ transcribe: target.checked })}
      />
    </>
  );
}

function ProviderFields({ type, setup }: { type: "sms" | "voice"; setup: Setup }): ReactNode {
  const { t } = useTranslation();
  const { wrong } = setup;
  return (
    <>
      {type === "sms" && (
        <Field
          label={t("channelSetup.messagingService")}
          hint={t("channelSetup.messagingServiceHint")}
          dir="ltr"
          placeholder="MG…"
          error={wrong("settings.messagingServiceSid", t("channelSetup.messagingServiceWrong"))}
          {...bound(setup, "messagingServiceSid")}
        />
      )}
      <Field
        label={t("channelSetup.apiUrl")}
        hint={t("channelSetup.apiUrlHint")}
        type="url"
        dir="ltr"
        error={wrong("settings.apiUrl", t("channelSetup.urlWrong"))}
        {...bound(setup, "apiUrl")}
      />
      <Field
        label={t("channelSetup.publicUrl")}
        hint={t("channelSetup.publicUrlHint")}
        type="url"
        dir="ltr"
        placeholder={location.origin}
        error={wrong("settings.publicUrl", t("channelSetup.urlWrong"))}
        {...bound(setup, "publicUrl")}
      />
    </>
  );
}

/** What the channel signs in with. It is only ever written. */
export function CredentialFields({
  fields,
  wrong,
}: {
  fields: ReturnType<typeof credentialsOf>;
  wrong: (path: string) => string | undefined;
}): ReactNode {
  const { t } = useTranslation();
  const [secret] = useState(newSecret);
  return fields.map((field) => (
    <Field
      key={field.name}
      label={t(`credential.${field.name}`)}
      hint={t(`credential.${field.name}Hint`)}
      name={field.name}
      dir="ltr"
      type={"isSecret" in field ? "password" : "text"}
      autoComplete={"isSecret" in field ? "new-password" : "off"}
      {...("isGenerated" in field && { defaultValue: secret, className: "font-mono" })}
      error={wrong(`credentials.${field.name}`)}
    />
  ));
}
