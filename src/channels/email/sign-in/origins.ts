export const MICROSOFT = "https://login.microsoftonline.com";
export const GOOGLE = "https://accounts.google.com";

/** Where these two have their endpoints, Microsoft also in its national clouds. */
export const ORIGINS: Partial<Record<string, readonly string[]>> = {
  microsoft: [
    MICROSOFT,
    "https://login.microsoftonline.us",
    "https://login.partner.microsoftonline.cn",
    "https://graph.microsoft.com",
    "https://graph.microsoft.us",
    "https://dod-graph.microsoft.us",
    "https://microsoftgraph.chinacloudapi.cn",
  ],
  google: [GOOGLE, "https://oauth2.googleapis.com", "https://openidconnect.googleapis.com"],
};
