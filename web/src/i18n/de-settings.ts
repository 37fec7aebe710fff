import type { settings as english } from "./en-settings.js";
import type { Texts } from "./texts.js";

export const settings: Texts<typeof english> = {
  settings: { title: "Einstellungen" },
};
