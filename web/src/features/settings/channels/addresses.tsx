import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Copyable } from "../../../ui/copyable.js";
import { Part } from "../../../ui/detail-page.js";
import { draftOf } from "./draft.js";
import type { Channel } from "./queries.js";

/** What somebody has to enter elsewhere, so that the channel is reached. */
export function Addresses({ channel }: { channel: Channel }): ReactNode {
  const { t } = useTranslation();
  const { id, type, address } = channel;
  switch (type) {
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
            value={`${draftOf(channel).publicUrl || location.origin}/api/webhooks/channels/${id}#rc=5&rp=all`}
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

/** The line that puts a widget on a page. */
export const snippet = (script: "webchat" | "form" | "search", key: string): string =>
  `<script src="${location.origin}/widgets/${script}.js" data-key="${key}" async></script>`;
