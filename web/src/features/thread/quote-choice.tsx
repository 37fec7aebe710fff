import { useQuery } from "@tanstack/react-query";
import { Quote } from "@parley/sdk/enums";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import type { Conversation } from "../../api/parley.js";
import type { People } from "../../drafts/drafts.js";
import { channelQuery } from "../settings/channels/queries.js";

/**
 * What a reply repeats below its text. The mailbox's own way is named, and is taken unless the member chooses another. It is for the
 * contact: a mail to others repeats nothing.
 */
export default function QuoteChoice({
  conversation: { channelId, channelType },
  people: { to, quote },
  onChange,
}: {
  conversation: Conversation;
  people: People;
  onChange: (quote: People["quote"]) => void;
}): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  // Answers to a contact form leave through a mailbox that is not known here.
  const { data: channel } = useQuery({ ...channelQuery(channelId), enabled: channelType === "email" });
  const own = to?.length
    ? "none"
    : channel && ((channel.settings as { quote?: NonNullable<People["quote"]> }).quote ?? "none");
  return (
    <div className="flex items-center gap-2 text-sm">
      <label htmlFor={id} className="w-14 shrink-0 text-muted">
        {t("people.quote")}
      </label>
      <select
        id={id}
        value={quote ?? ""}
        className="h-7 min-w-0 flex-1 bg-transparent"
        onChange={({ target: { value } }) => onChange(Quote.find((one) => one === value))}
      >
        <option value="">
          {own
            ? t("messageTools.quoteOfMailbox", { quote: t(`people.quotes.${own}`) })
            : t("messageTools.quoteDefault")}
        </option>
        {Quote.map((one) => (
          <option key={one} value={one}>
            {t(`people.quotes.${one}`)}
          </option>
        ))}
      </select>
    </div>
  );
}
