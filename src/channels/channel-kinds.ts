import { BadRequestException, Injectable } from "@nestjs/common";
import type { ChannelType } from "../workspaces/channel.entity.js";
import type { ChannelKind } from "./channel-kind.js";

/** The types of channels that this server supports. */
@Injectable()
export class ChannelKinds {
  private readonly kinds = new Map<ChannelType, ChannelKind>();

  plug(kind: ChannelKind): void {
    if (this.kinds.has(kind.type)) throw new Error(`there are two kinds for ${kind.type} channels`);
    this.kinds.set(kind.type, kind);
  }

  /** @throws BadRequestException: there is no kind for this type */
  of(type: ChannelType): ChannelKind {
    const kind = this.kinds.get(type);
    if (!kind) throw new BadRequestException(`type: channels of type ${type} are not supported`);
    return kind;
  }
}
