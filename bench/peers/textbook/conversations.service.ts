import { BadRequestException, Injectable } from "@nestjs/common";
import { InjectRepository } from "@nestjs/typeorm";
import { Repository } from "typeorm";
import type { ApiKey } from "./api-key.entity.js";
import { Conversation } from "./conversation.entity.js";
import { ConversationsPage, type ListConversationsDto } from "./conversations.dto.js";

@Injectable()
export class ConversationsService {
  constructor(@InjectRepository(Conversation) private readonly conversations: Repository<Conversation>) {}

  async list(key: ApiKey, { limit, cursor }: ListConversationsDto): Promise<ConversationsPage> {
    const query = this.conversations
      .createQueryBuilder("conversation")
      .innerJoinAndSelect("conversation.channel", "channel")
      .innerJoinAndSelect("conversation.contact", "contact")
      .where("conversation.tenantId = :tenantId", { tenantId: key.tenantId })
      .orderBy("conversation.lastActivityAt", "DESC")
      .addOrderBy("conversation.id", "DESC")
      // `take` would read the ids in a statement of its own, over all rows that match.
      .limit(limit + 1);
    if (key.workspaceId) query.andWhere("conversation.workspaceId = :workspaceId", { workspaceId: key.workspaceId });
    if (key.brandId) query.andWhere("conversation.brandId = :brandId", { brandId: key.brandId });
    if (cursor) {
      query.andWhere("(conversation.lastActivityAt, conversation.id) < (:at, :id)", readCursor(cursor));
    }
    const rows = await query.getMany();
    const data = rows.slice(0, limit);
    return new ConversationsPage({
      data,
      ...(rows.length > limit && { nextCursor: makeCursor(data[data.length - 1]) }),
    });
  }
}

const makeCursor = ({ lastActivityAt, id }: Conversation): string =>
  Buffer.from(JSON.stringify([lastActivityAt, id])).toString("base64url");

function readCursor(cursor: string): { at: Date; id: string } {
  try {
    const [at, id] = JSON.parse(Buffer.from(cursor, "base64url").toString()) as [string, string];
    return { at: new Date(at), id };
  } catch {
    throw new BadRequestException("cursor is not one of ours");
  }
}
