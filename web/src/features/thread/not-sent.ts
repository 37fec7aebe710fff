import { failureOf } from "../../api/failure.js";
import i18n from "../../i18n/i18n.js";
import { toast } from "../../ui/toasts.js";

/** Tells a member who looks at something else by now that a reply or a note was refused, and leads to its text. */
export const sayNotSent = (error: unknown, conversationId: string): void =>
  toast(i18n.t("failure.notSent", { reason: failureOf(error).sentence }), {
    failed: true,
    action: { label: i18n.t("thread.open"), to: `/inbox/all/${conversationId}` },
  });
