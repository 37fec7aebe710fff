import { Readable } from "node:stream";
import { BadRequestException, ConflictException, Injectable, UnauthorizedException } from "@nestjs/common";
import type { FastifyReply } from "fastify";
import { v7 as uuid } from "uuid";
import { type Caller, callerId, system } from "../../platform/caller/caller.js";
import { Config } from "../../platform/config/config.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { notFound } from "../../platform/http/errors.js";
import { Json, type Page } from "../../platform/http/json.js";
import type { PagingDto } from "../../platform/http/paging.dto.js";
import type { Request } from "../../platform/http/request.js";
import { HEAD_BYTES, receiveFile, type ReceivedFile, tooLarge } from "../../platform/http/upload.js";
import { AttachmentStore, type FileKey } from "./attachment-store.js";
import { AttachmentEntity } from "./attachment.entity.js";
import type { AttachmentDto, AttachmentLinkDto } from "./attachments.dto.js";
import { CLAIM, GET_ATTACHMENT, GET_LINKED, LIST_ATTACHMENTS, GET_UPLOADED } from "./attachments.queries.js";
import { contentTypeOf, dimensionsOf } from "./content-type.js";
import { safeName } from "./file-name.js";
import { Links } from "./links.js";

/** A file for the holder of a link. */
export interface Linked extends FileKey {
  fileName: string;
  contentType: string;
  size: number;
}

/** A file whose bytes are kept, and whose row is still to come. */
export interface KeptFile extends FileKey {
  values: FileValues;
}
type FileValues = Pick<AttachmentEntity, "fileName" | "contentType" | "size" | "width" | "height">;

/** How long a file can be loaded that a page shows. */
const SHOWN_SECONDS = 3_600;

@Injectable()
export class AttachmentsService {
  constructor(
    private readonly db: Database,
    private readonly config: Config,
    private readonly store: AttachmentStore,
    private readonly links: Links,
  ) {}

  /** The file first, then its row; what comes to nothing in between leaves neither. */
  async upload(caller: Caller, request: Request, reply: FastifyReply): Promise<Json<AttachmentDto>> {
    const key = { tenantId: caller.tenantId, id: uuid() };
    let worked = false;
    try {
      const file = await receiveFile(request, reply, this.config.attachmentMaxBytes, (bytes) =>
        this.store.put(key, bytes),
      );
      const values = await describe(file);
      return await this.db.transaction(caller, async (tx) => {
        // No list shows it before it is attached: all pollers are left in peace.
        tx.within(caller.tenantId);
        await tx.insert(AttachmentEntity, { id: key.id, ...values, uploadedBy: callerId(caller) });
        const answer = (await tx.read(GET_UPLOADED, { id: key.id })).created();
        worked = true;
        return answer;
      });
    } catch (error) {
      // Where only the answer to the commit was lost, the row may stand: then the daily run decides.
      if (!worked) await this.store.remove(key);
      throw error;
    }
  }

  /**
   * The same for a file that a channel brings, by the rules of uploads: its bytes now, its row in the transaction of its message.
   * Where that comes to nothing, `discard` takes it back.
   * @throws HttpException: it is refused
   */
  async keep(caller: Caller, { name, type, bytes }: { name: string; type: string; bytes: Buffer }): Promise<KeptFile> {
    const { length: size } = bytes;
    if (!size) throw new BadRequestException("The file is empty");
    if (size > this.config.attachmentMaxBytes) throw tooLarge(this.config.attachmentMaxBytes);
    const values = await describe({ name, type, size, head: bytes.subarray(0, HEAD_BYTES) });
    const key = { tenantId: caller.tenantId, id: uuid() };
    await this.store.put(key, Readable.from([bytes]));
    return { ...key, values };
  }

  /** Their rows, for `attach` in the same transaction. @returns their ids */
  async add(tx: Tx, files: readonly KeptFile[]): Promise<string[]> {
    for (const { id, values } of files)
      await tx.insert(AttachmentEntity, { id, ...values, uploadedBy: callerId(tx.caller) });
    return files.map(({ id }) => id);
  }

  /** Rows of `add` whose message came to nothing; their files follow (see `AttachmentCleanup.removeFiles`). */
  async withdraw(tx: Tx, ids: readonly string[]): Promise<void> {
    if (ids.length)
      await tx.query("delete from attachment where tenant_id = :tenant and id = any(:ids::uuid[])", { ids });
  }

  /** Files that got no row. */
  async discard(files: readonly KeptFile[]): Promise<void> {
    for (const file of files) await this.store.remove(file);
  }

  async get(caller: Caller, id: string): Promise<Json<AttachmentLinkDto>> {
    const { expires, ...attachment } = (
      await this.db.read(caller, GET_ATTACHMENT, { id, self: callerId(caller) })
    ).parse();
    return Json.of({ ...attachment, url: this.links.urlOf({ tenantId: caller.tenantId, id, expires }) });
  }

  /** An address that gives the file for an hour, to whoever the caller found may see it. */
  urlOf(key: FileKey): string {
    return this.links.urlOf({ ...key, expires: Math.floor(Date.now() / 1_000) + SHOWN_SECONDS });
  }

  /** Newest first. */
  list(caller: Caller, conversationId: string, { limit = 25, cursor }: PagingDto): Promise<Json<Page<AttachmentDto>>> {
    return this.db.page(caller, LIST_ATTACHMENTS, { conversationId }, { limit, cursor });
  }

  /**
   * @throws UnauthorizedException where the link is not ours or has ended, NotFoundException where the file is gone
   */
  async follow(token: string): Promise<Linked> {
    const link = this.links.open(token);
    if (!link) throw new UnauthorizedException();
    const { expired, ...file } = (
      await this.db.read(system("attachment link", link.tenantId, "live"), GET_LINKED, link)
    ).parse();
    if (expired) throw new UnauthorizedException();
    return { ...file, tenantId: link.tenantId, id: link.id };
  }

  /**
   * Makes the caller's uploads part of a message, in the transaction that writes it.
   * @throws NotFoundException, ConflictException; then none is attached
   */
  async attach(tx: Tx, message: { conversationId: string; messageId: string }, ids: readonly string[]): Promise<void> {
    const args = { ...message, ids, self: callerId(tx.caller) };
    if ((await tx.query(CLAIM, args)).length === ids.length) return;
    const [taken] = await tx.query(
      `select 1 from attachment where tenant_id = :tenant and id = any(:ids::uuid[]) and uploaded_by = :self::uuid and message_id <> :messageId limit 1`,
      args,
    );
    throw taken ? new ConflictException("An attachment belongs to another message already") : notFound();
  }

  /** Of an attachment that the caller has just read of. @throws NotFoundException: it went in the meantime */
  bytes(key: FileKey): Promise<Readable> {
    return this.store.get(key);
  }
}

async function describe({ name, type, size, head }: ReceivedFile): Promise<FileValues> {
  const fileName = safeName(name);
  const contentType = await contentTypeOf(head, type, fileName);
  return { fileName, contentType, size, ...(dimensionsOf(head, contentType) ?? { width: null, height: null }) };
}
