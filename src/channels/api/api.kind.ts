import { Injectable } from "@nestjs/common";
import { ChannelKinds } from "../channel-kinds.js";

class NoSettings {}

/** Channels of type `api`. An integration reads the replies; nothing is sent, and nothing needs to be set up. */
@Injectable()
export class ApiKind {
  constructor(kinds: ChannelKinds) {
    kinds.plug({
      type: "api",
      settings: NoSettings,
      fetched: true,
      inEveryWorkspace: "API",
      test: () => Promise.resolve("The channel works: it needs no other server"),
    });
  }
}
