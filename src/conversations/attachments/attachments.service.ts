import { Readable } from "node:stream";
import { BadRequestException, ConflictException, Injectable, UnauthorizedException } from "@nestjs/common";
import type { FastifyReply } from "fastify";
import { In, Not } from "typeorm";
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
import { AttachmentQuota } from "./attachment-quota.js";
import { AttachmentStore, type FileKey, FilesUnavailable } from "./attachment-store.js";
import { AttachmentEntity } from "./attachment.entity.js";
import type { AttachmentDto, AttachmentLinkDto } from "./attachments.dto.js";
import { CLAIM, GET_ATTACHMENT, GET_LINKED, LIST_ATTACHMENTS, GET_UPLOADED } from "./attachments.queries.js";
import { contentTypeOf } from "./content-type.js";
import { safeName } from "./file-name.js";
import { Links } from "./links.js";
import { dimensionsOf } from "../../platform/pictures/picture-size.js";

/** The file of a signed link. */
export interface Linked extends FileKey {
  fileName: string;
  contentType: string;
  size: number;
  width: number | null;
  height: number | null;
}

/** A file whose bytes are stored and whose row does not exist yet. */
export interface KeptFile extends FileKey {
  values: FileValues;
}
type FileValues = Pick<AttachmentEntity, "fileName" | "contentType" | "size" | "width" | "height"> &
  Partial<Pick<AttachmentEntity, "original">>;

/** For how long a file on a page can be loaded. */
const SHOWN_SECONDS = 3_600;

@Injectable()
export class AttachmentsService {
  constructor(
    private readonly db: Database,
    private readonly config: Config,
    private readonly store: AttachmentStore,
    private readonly links: Links,
    private readonly quota: AttachmentQuota,
  ) {}

  /** Stores the file, then its row. If either step fails, neither is kept. */
  async upload(caller: Caller, request: Request, reply: FastifyReply): Promise<Json<AttachmentDto>> {
    const key = { tenantId: caller.tenantId, id: uuid() };
    let worked = false;
    try {
      const file = await receiveFile(request, reply, this.config.attachmentMaxBytes, (bytes) =>
        this.store.put(key, bytes),
      );
      const values = await describe(file);
      return await this.db.transaction(caller, async (tx) => {
        // No list shows a file before it is attached.
        tx.changesNothingVisible();
        await this.quota.take(tx, values.size);
        await tx.insert(AttachmentEntity, { id: key.id, ...values, uploadedBy: callerId(caller) });
        const answer = (await tx.read(GET_UPLOADED, { id: key.id })).created();
        worked = true;
        return answer;
      });
    } catch (error) {
      // If only the answer to the commit was lost, the row may exist. Then the daily job decides. It also finds what a store has that did
      // not answer: asking it again would only keep the client waiting.
      if (!worked && !(error instanceof FilesUnavailable)) await this.store.remove(key).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Stores a file from a channel, with the same rules as for uploads. `add` writes its row in the transaction of its
   * message. If that fails, remove the file with `discard`.
   * @param original the file is the message itself, as it came
   * @throws HttpException: the file is refused
   */
  async keep(
    caller: Caller,
    { name, type, bytes, original }: { name: string; type: string; bytes: Buffer } & Pick<FileValues, "original">,
  ): Promise<KeptFile> {
    const { length: size } = bytes;
    if (!size) throw new BadRequestException("The file is empty");
    if (size > this.config.attachmentMaxBytes) throw tooLarge(this.config.attachmentMaxBytes);
    const values = await describe({ name, type, size, head: bytes.subarray(0, HEAD_BYTES) });
    const key = { tenantId: caller.tenantId, id: uuid() };
    await this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      await this.quota.take(tx, size);
    });
    try {
      await this.store.put(key, Readable.from([bytes]));
    } catch (error) {
      await this.giveBack(key.tenantId, size);
      throw error;
    }
    return { ...key, values: { ...values, original } };
  }

  /** Adds the rows of files that `keep` stored, for `attach` in the same transaction. @returns their ids */
  async add(tx: Tx, files: readonly KeptFile[]): Promise<string[]> {
    for (const { id, values } of files)
      await tx.insert(AttachmentEntity, { id, ...values, uploadedBy: callerId(tx.caller) });
    return files.map(({ id }) => id);
  }

  /** Deletes rows of `add` whose message was not written. `AttachmentCleanupService` removes their files. */
  async withdraw(tx: Tx, ids: readonly string[]): Promise<void> {
    if (ids.length) await tx.delete(AttachmentEntity, { id: In([...ids]) });
  }

  /** Removes files of `keep` that got no row. */
  async discard(files: readonly KeptFile[]): Promise<void> {
    for (const file of files) {
      await this.store.remove(file);
      await this.giveBack(file.tenantId, file.values.size);
    }
  }

  private giveBack(tenantId: string, size: number): Promise<void> {
    return this.db.transaction(system("attachments", tenantId, "live"), async (tx) => {
      tx.changesNothingVisible();
      await this.quota.giveBack(tx, size);
    });
  }

  async get(caller: Caller, id: string): Promise<Json<AttachmentLinkDto>> {
    const { expires, ...attachment } = (
      await this.db.read(caller, GET_ATTACHMENT, { id, self: callerId(caller) })
    ).parse();
    return Json.of({ ...attachment, url: this.links.urlOf({ tenantId: caller.tenantId, id, expires }) });
  }

  /** A URL that serves the file for an hour. Check first that its reader may see the file. */
  urlOf(key: FileKey): string {
    return this.links.urlOf({ ...key, expires: Math.floor(Date.now() / 1_000) + SHOWN_SECONDS });
  }

  /** A URL that serves the file until then, to whoever has it. */
  linkUntil(key: FileKey, until: Date): string {
    return this.links.urlOf({ ...key, expires: Math.floor(until.getTime() / 1_000) });
  }

  /** Newest first. */
  list(caller: Caller, conversationId: string, { limit = 25, cursor }: PagingDto): Promise<Json<Page<AttachmentDto>>> {
    return this.db.page(caller, LIST_ATTACHMENTS, { conversationId }, { limit, cursor });
  }

  /**
   * @throws UnauthorizedException (the signature is invalid, or the link has expired), NotFoundException (the file is
   * deleted)
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
   * Attaches the caller's uploads to a message, in the transaction that writes the message.
   * @throws NotFoundException, ConflictException (a file belongs to another message); then none is attached
   */
  async attach(tx: Tx, message: { conversationId: string; messageId: string }, ids: readonly string[]): Promise<void> {
    const args = { ...message, ids, self: callerId(tx.caller) };
    if ((await tx.query(CLAIM, args)).length === ids.length) return;
    const taken =
      args.self !== null &&
      (await tx.findOne(AttachmentEntity, {
        id: In([...ids]),
        uploadedBy: args.self,
        messageId: Not(message.messageId),
      }));
    throw taken
      ? new ConflictException("An attachment belongs to another message already")
      : notFound("attachment in attachmentIds");
  }

  /**
   * The bytes of a file that the caller was allowed to read. @throws NotFoundException: it was deleted in the
   * meantime
   */
  bytes(key: FileKey): Promise<Readable> {
    return this.store.get(key);
  }
}

async function describe({ name, type, size, head }: ReceivedFile): Promise<FileValues> {
  const fileName = safeName(name);
  const contentType = await contentTypeOf(head, type, fileName);
  return { fileName, contentType, size, ...(dimensionsOf(head, contentType) ?? { width: null, height: null }) };
}
