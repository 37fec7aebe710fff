import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Copyable } from "../../../ui/copyable.js";
import { Part } from "../../../ui/detail-page.js";
import { draftOf, webhooksOf } from "./draft.js";
import type { Channel } from "./queries.js";
import { addressWithSecret } from "./webhook-secrets.js";

/** What somebody has to enter elsewhere, so that the channel is reached. */
export function Addresses({ channel }: { channel: Channel }): ReactNode {
  const { t } = useTranslation();
  const { id, type, address, webhookPath } = channel;
  switch (type) {
    case "email":
      return <MailWebhook channel={channel} />;
    case "webchat":
      return (
        <Part title={t("channelSetup.onYourPage")}>
          <Copyable
            label={t("widgets.snippet")}
            hint={t("channelSetup.webchatSnippetHint")}
            value={snippet("webchat", address!)}
          />
        </Part>
      );
    case "sms":
    case "voice":
      return (
        <Part title={t("channelSetup.atProvider")}>
          <Copyable
            label={t("channelSetup.webhook")}
            hint={t("channelSetup.webhookHint")}
            value={`${draftOf(channel).publicUrl || location.origin}${webhookPath}#rc=5&rp=all`}
          />
        </Part>
      );
    case "api":
      return (
        <Part title={t("channelSetup.inYourProgram")}>
          <Copyable label="channelId" hint={t("channelSetup.channelIdHint")} value={id} />
        </Part>
      );
    case "contact_form":
      return (
        <p className="text-muted">
          {t("channelSetup.formsExplain")}{" "}
          <Link to="/settings/widgets" className="font-medium text-accent underline">
            {t("settings.section.widgets")}
          </Link>
        </p>
      );
    default:
      return null;
  }
}

/** What somebody enters at the provider that sends mails to us. */
function MailWebhook({ channel }: { channel: Channel }): ReactNode {
  const { t } = useTranslation();
  const { id, webhookPath } = channel;
  const provider = webhooksOf(draftOf(channel));
  if (!provider || webhookPath === null) return null;
  const { address, isWhole } =
    provider === "postmark"
      ? addressWithSecret(id, webhookPath)
      : { address: location.origin + webhookPath, isWhole: true };
  const name = t(`inbound.ways.${provider}`);
  return (
    <Part title={t("inbound.at", { name })}>
      <Copyable
        label={t("inbound.address", { name })}
        hint={t(provider !== "postmark" ? "inbound.addressHint" : isWhole ? "inbound.onceHint" : "inbound.secretHint")}
        value={address}
      />
      <ol className="flex list-decimal flex-col gap-1 ps-5">
        {STEPS.map((step) => (
          <li key={step}>{t(`inbound.steps.${provider}.${step}`)}</li>
        ))}
      </ol>
    </Part>
  );
}
const STEPS = ["first", "second", "third"] as const;

/** The line that puts a widget on a page. */
export const snippet = (script: "webchat" | "form" | "search", key: string): string =>
  `<script src="${location.origin}/widgets/${script}.js" data-key="${key}" async></script>`;
