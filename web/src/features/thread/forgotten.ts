import i18n from "../../i18n/i18n.js";
import { toast } from "../../ui/toasts.js";

/** Letters that were meant for a conversation that did not come. */
export const sayForgotten = (keys: string): void => toast(i18n.t("inbox.keysForgotten", { keys }), { failed: true });
