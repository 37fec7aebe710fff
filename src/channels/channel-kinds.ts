import { BadRequestException, Injectable } from "@nestjs/common";
import { CHANNEL_TYPES, type ChannelType } from "../workspaces/channel.entity.js";
import type { ChannelKind } from "./channel-kind.js";

/** The types of channels that this server supports. */
@Injectable()
export class ChannelKinds {
  private readonly kinds = new Map<ChannelType, ChannelKind>();

  plug(kind: ChannelKind): void {
    if (this.kinds.has(kind.type)) throw new Error(`there are two kinds for ${kind.type} channels`);
    this.kinds.set(kind.type, kind);
  }

  /** The kinds that each workspace has a channel of, in the order of `CHANNEL_TYPES`. */
  inEveryWorkspace(): ChannelKind[] {
    return CHANNEL_TYPES.flatMap((type) => this.kinds.get(type) ?? []).filter((kind) => kind.inEveryWorkspace);
  }

  /** @throws BadRequestException: there is no kind for this type */
  of(type: ChannelType): ChannelKind {
    const kind = this.kinds.get(type);
    if (!kind) throw new BadRequestException(`type: channels of type ${type} are not supported`);
    return kind;
  }
}
