import { Injectable } from "@nestjs/common";
import { ChannelKinds } from "../channel-kinds.js";

/** No settings, so far. */
class NoSettings {}

/** The channels that need nothing made ready: what we write waits to be fetched. */
@Injectable()
export class ApiKind {
  constructor(kinds: ChannelKinds) {
    kinds.plug({
      type: "api",
      settings: NoSettings,
      test: () => Promise.resolve("The channel works: it needs no other server"),
    });
  }
}
