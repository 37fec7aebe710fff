import { access } from "./access.js";
import { assistant } from "./assistant.js";
import { casePages } from "./cases.js";
import { channelSettings } from "./channels.js";
import { contactPages } from "./contacts.js";
import { inboxTools } from "./inbox-tools.js";
import { knowledge } from "./knowledge.js";
import { logs } from "./logs.js";
import { mailedLinks } from "./mailed-links.js";
import { preferencePages } from "./preferences.js";
import { procedurePages } from "./procedures.js";
import { testPages } from "./tests.js";
import { reportPages } from "./reports.js";
import { settings } from "./settings.js";
import { workspaces } from "./workspaces.js";

/** The texts of the pages beside the inbox. They are loaded with the first such page. */
export const pages = {
  ...access,
  ...assistant,
  ...casePages,
  ...channelSettings,
  ...contactPages,
  ...inboxTools,
  ...knowledge,
  ...procedurePages,
  ...testPages,
  ...reportPages,
  ...logs,
  ...settings,
  ...preferencePages,
  ...workspaces,
  signIn: mailedLinks,
};
