import { ConflictException, Injectable } from "@nestjs/common";
import { PreferencesService } from "../../auth/preferences/preferences.service.js";
import { ConversationEntity } from "../../conversations/conversation.entity.js";
import type { Quote } from "../../conversations/quote.js";
import type { Caller, MemberCaller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { Json } from "../../platform/http/json.js";
import { ChannelEntity } from "../../workspaces/channel.entity.js";
import { frameNow } from "./compose.js";
import { GET_CHANNEL_SIGNATURE } from "./frame.queries.js";
import type { MailFrameDto, SignatureDto } from "./signatures.dto.js";

/** How mails end. */
@Injectable()
export class SignaturesService {
  constructor(
    private readonly db: Database,
    private readonly preferences: PreferencesService,
  ) {}

  ofMember(caller: MemberCaller): Promise<Json<SignatureDto>> {
    return this.preferences.signature(caller);
  }

  setOfMember(caller: MemberCaller, body: string | null): Promise<Json<SignatureDto>> {
    return this.preferences.putSignature(caller, body);
  }

  ofChannel(caller: Caller, id: string): Promise<Json<SignatureDto>> {
    return this.db.read(caller, GET_CHANNEL_SIGNATURE, { id });
  }

  /** @throws NotFoundException, ConflictException: it sends no mail */
  setOfChannel(caller: Caller, id: string, body: string | null): Promise<Json<SignatureDto>> {
    return this.db.transaction(caller, async (tx) => {
      const { type, workspaceId } = await tx.findOrThrow(ChannelEntity, { id }, { lock: "no key update" });
      if (type !== "email") throw new ConflictException("Only mailboxes have a signature");
      tx.changesWorkspace(workspaceId);
      await tx.update(ChannelEntity, { id }, { signature: body, updatedAt: () => "now()" });
      return tx.read(GET_CHANNEL_SIGNATURE, { id });
    });
  }

  /** @throws NotFoundException */
  frame(caller: Caller, conversationId: string, quote: Quote | undefined): Promise<Json<MailFrameDto>> {
    return this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      await tx.findOrThrow(ConversationEntity, { id: conversationId });
      const memberId = caller.kind === "member" ? caller.memberId : null;
      const {
        language = "en",
        signature = null,
        footer = null,
        logo,
        quoted = [],
      } = (await frameNow(tx, { conversationId, memberId, quote })) ?? {};
      return Json.of<MailFrameDto>({ language, signature, footer, logoUrl: logo?.url ?? null, quoted });
    });
  }
}
