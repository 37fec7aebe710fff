import type { components } from "@parley/sdk/core";
import { accessToken, environment } from "../session/session.js";
import { clientOf } from "./client.js";

export type Schemas = components["schemas"];
export type Conversation = Schemas["Conversation"];
export type Message = Schemas["Message"];
export type Contact = Schemas["Contact"];

/** The client of this tab. It shows the side, live or test, that the tab began with. */
export const parley = clientOf(environment(), { baseUrl: location.origin, getToken: accessToken });
