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

/** Where Microsoft Graph is, by where its cloud signs in. */
export const GRAPHS: Partial<Record<string, string>> = {
  [MICROSOFT]: "https://graph.microsoft.com",
  "https://login.microsoftonline.us": "https://graph.microsoft.us",
  "https://login.partner.microsoftonline.cn": "https://microsoftgraph.chinacloudapi.cn",
};

/** The Graph that the tokens of a sign-in are for. Undefined: there is none. */
export const graphOf = ({ provider, tokenUrl }: { provider: string; tokenUrl?: string | null }): string | undefined =>
  provider === "microsoft"
    ? GRAPHS[tokenUrl && URL.canParse(tokenUrl) ? new URL(tokenUrl).origin : MICROSOFT]
    : undefined;
