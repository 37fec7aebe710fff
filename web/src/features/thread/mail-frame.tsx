import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { QUIET_MS } from "../../api/paged.js";
import { parley } from "../../api/parley.js";
import type { People } from "../../drafts/drafts.js";
import { Body } from "./body.js";

interface Props {
  conversationId: string;
  /** How many there are: another one changes what is quoted. */
  messages: number;
  /** What the member wants to quote; undefined: as the mailbox has it. */
  quote: People["quote"];
}

/** What goes below a mail, folded. Its logo is named and not loaded: that would tell a stranger's server that somebody writes. */
export default function MailFrame({ conversationId, messages, quote }: Props): ReactNode {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: ["mail-frame", conversationId, messages, quote],
    queryFn: ({ signal }) => parley.conversations.mailFrame(conversationId, { quote }, { signal }),
    staleTime: QUIET_MS,
  });
  const parts = [
    data?.signature && t("mailFrame.signature"),
    (data?.footer || data?.logoUrl) && t("mailFrame.footer"),
    data?.quoted.length && t("mailFrame.quoted"),
  ].filter(Boolean);
  if (!data || parts.length === 0) return null;
  const { language, signature, footer, logoUrl, quoted } = data;
  return (
    <details className="mx-3 mb-2 border-t border-line pt-1 text-sm">
      <summary className="w-fit cursor-pointer rounded text-muted hover:text-text">
        {t("mailFrame.title", { parts: parts.join(", ") })}
      </summary>
      <div lang={language} dir="auto" className="mt-2 flex max-h-[30vh] flex-col gap-3 overflow-y-auto wrap-anywhere">
        <Suspense>
          {signature && <Body text={signature} format="markdown" />}
          {logoUrl && <p className="text-muted">{t("mailFrame.logo", { url: logoUrl })}</p>}
          {footer && (
            <div className="text-xs text-muted">
              <Body text={footer} format="markdown" />
            </div>
          )}
          {quoted.map(({ heading, body, format }, n) => (
            <div key={n} className="flex flex-col gap-1">
              <p className="text-muted">{heading}</p>
              <blockquote className="border-s-2 border-line ps-3">
                <Body text={body} format={format} />
              </blockquote>
            </div>
          ))}
        </Suspense>
      </div>
    </details>
  );
}
