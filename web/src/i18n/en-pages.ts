import { access } from "./en-access.js";
import { assistant } from "./en-assistant.js";
import { casePages } from "./en-cases.js";
import { channelSettings } from "./en-channels.js";
import { contactPages } from "./en-contacts.js";
import { inboxTools } from "./en-inbox-tools.js";
import { knowledge } from "./en-knowledge.js";
import { mailedLinks } from "./en-mailed-links.js";
import { preferencePages } from "./en-preferences.js";
import { reportPages } from "./en-reports.js";
import { settings } from "./en-settings.js";
import { workspaces } from "./en-workspaces.js";

/** The texts of the pages beside the inbox. They are loaded with the first such page. */
export const pages = {
  ...access,
  ...assistant,
  ...casePages,
  ...channelSettings,
  ...contactPages,
  ...inboxTools,
  ...knowledge,
  ...reportPages,
  ...settings,
  ...preferencePages,
  ...workspaces,
  signIn: mailedLinks,
};
