import type { Environment } from "../../platform/caller/caller.js";
import type { Config } from "../../platform/config/config.js";
import { HostCookie } from "../../platform/http/host-cookie.js";

/** The cookies of the refresh tokens. One for each side: a browser can have a session on both. */
export const refreshCookies = (config: Config): Record<Environment, HostCookie> => ({
  live: new HostCookie("parley_refresh", "/api/auth", "strict", config),
  test: new HostCookie("parley_refresh_test", "/api/auth", "strict", config),
});
