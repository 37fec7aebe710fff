import { ConflictException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import type { MemberCaller } from "../../platform/caller/caller.js";
import { roleMissing } from "../../auth/access/role-missing.js";
import { ADMINS } from "../../platform/caller/scope.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { notFound } from "../../platform/http/errors.js";
import { Json, type Ok, ok, type Page } from "../../platform/http/json.js";
import { LOCK_SIDE } from "../desk.queries.js";
import { WorkspaceEntity } from "../../workspaces/workspace.entity.js";
import type {
  CannedReplyDto,
  CreateCannedReplyDto,
  ListCannedRepliesDto,
  RenderedCannedReplyDto,
  UpdateCannedReplyDto,
} from "./canned-replies.dto.js";
import {
  COUNT_CANNED_REPLIES,
  FIND_CANNED_REPLY,
  GET_CANNED_REPLY,
  LIST_CANNED_REPLIES,
  RENDER_VALUES,
  UPDATE_CANNED_REPLY,
} from "./canned-replies.queries.js";
import { CannedReplyEntity } from "./canned-reply.entity.js";
import { fill } from "./template.js";

/** On each side of a tenant. */
const MAX_CANNED_REPLIES = 1_000;

@Injectable()
export class CannedRepliesService {
  constructor(private readonly db: Database) {}

  list(
    caller: MemberCaller,
    { workspaceId, query, limit = 25, cursor }: ListCannedRepliesDto,
  ): Promise<Json<Page<CannedReplyDto>>> {
    return this.db.page(caller, LIST_CANNED_REPLIES, { workspaceId, query }, { limit, cursor });
  }

  /** @throws NotFoundException (the workspace), ForbiddenException, ConflictException: the shortcut is taken, or there are too many */
  create(
    caller: MemberCaller,
    { workspaceId = null, shortcut, title, body, language = null }: CreateCannedReplyDto,
  ): Promise<Json<CannedReplyDto>> {
    if (workspaceId === null && !isAdmin(caller)) throw roleMissing(ADMINS);
    return this.db.transaction(caller, async (tx) => {
      if (workspaceId !== null) await tx.findOrThrow(WorkspaceEntity, { id: workspaceId }, { field: "workspaceId" });
      await tx.query(LOCK_SIDE);
      const [{ count } = { count: 0 }] = await tx.query(COUNT_CANNED_REPLIES);
      if (count >= MAX_CANNED_REPLIES)
        throw new ConflictException(`There are ${MAX_CANNED_REPLIES} canned replies already`);
      const id = uuid();
      const made = await tx.insertOrIgnore(CannedReplyEntity, {
        id,
        workspaceId,
        shortcut,
        title,
        body,
        language,
        createdBy: caller.memberId,
      });
      if (!made) throw new ConflictException("Another canned reply has this shortcut");
      return (await tx.read(GET_CANNED_REPLY, { id })).created();
    });
  }

  /** @throws NotFoundException, ForbiddenException, ConflictException: the shortcut is taken */
  update(caller: MemberCaller, id: string, changes: UpdateCannedReplyDto): Promise<Json<CannedReplyDto>> {
    return this.db.transaction(caller, async (tx) => {
      await this.findOwn(tx, caller, id);
      await tx.query(UPDATE_CANNED_REPLY, { id, ...changes, setsLanguage: changes.language !== undefined });
      return tx.read(GET_CANNED_REPLY, { id });
    });
  }

  /** @throws NotFoundException, ForbiddenException */
  delete(caller: MemberCaller, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      await this.findOwn(tx, caller, id);
      await tx.delete(CannedReplyEntity, { id });
      return ok();
    });
  }

  /** @throws NotFoundException: there is no such canned reply for the workspace of the conversation, or no such conversation */
  render(caller: MemberCaller, id: string, conversationId: string): Promise<Json<RenderedCannedReplyDto>> {
    return this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      const args = { id, conversationId, memberId: caller.memberId };
      const { body, values } = (await tx.read(RENDER_VALUES, args)).parse();
      // The answer names the conversation, so that an erasure finds it among the answers kept for repeats.
      return Json.of<RenderedCannedReplyDto>({ conversationId, ...fill(body, values) });
    });
  }

  /** Owners and admins change all; whoever made one for a workspace changes that. */
  private async findOwn(tx: Tx, caller: MemberCaller, id: string): Promise<void> {
    const [found] = await tx.query(FIND_CANNED_REPLY, { id });
    if (!found) throw notFound();
    if (!isAdmin(caller) && (found.createdBy !== caller.memberId || found.workspaceId === null))
      throw roleMissing(ADMINS);
  }
}

const isAdmin = ({ role }: MemberCaller): boolean => ADMINS.includes(role);
