import { Parley, type ParleyOptions } from "@parley/sdk/core";
import type { Environment } from "../session/session.js";

/** A client of the dashboard. @param environment the side, live or test, that it shows */
export const clientOf = (
  environment: Environment,
  options: Pick<ParleyOptions, "baseUrl" | "getToken" | "fetch">,
): Parley => new Parley({ ...options, headers: { "X-Environment": environment } });
