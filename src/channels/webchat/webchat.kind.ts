import { Injectable } from "@nestjs/common";
import { ChannelError, type ChannelKind, type OpenChannel } from "../channel-kind.js";
import { ChannelKinds } from "../channel-kinds.js";
import { publicKeyOf } from "./public-key.js";
import { WebchatCredentials, withDefaults, WebchatSettings } from "./webchat.settings.js";

/** The chat on a web page. It needs no provisioning; the open page fetches the replies. */
@Injectable()
export class WebchatKind implements ChannelKind {
  readonly type = "webchat";
  readonly settings = WebchatSettings;
  readonly credentials = WebchatCredentials;
  readonly credentialsOptional = (): boolean => true;
  readonly inEveryWorkspace = "Web chat";
  readonly publicAddress = publicKeyOf;

  constructor(kinds: ChannelKinds) {
    kinds.plug(this);
  }

  /** Whoever has the secret signs who a visitor is. */
  credentialsVouch(): boolean {
    return true;
  }

  test({ settings, credentials }: OpenChannel): Promise<string> {
    const { requireIdentity, allowedOrigins } = withDefaults(settings);
    if (requireIdentity && !credentials)
      return Promise.reject(
        new ChannelError("Only signed visitors may write, but there is no identitySecret to check signatures with"),
      );
    const where = allowedOrigins.length ? `on ${allowedOrigins.join(", ")}` : "on any page";
    return Promise.resolve(`The chat works ${where}${credentials ? "; signed visitors are recognised" : ""}`);
  }
}
