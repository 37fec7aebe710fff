import { BadRequestException, ConflictException, Injectable } from "@nestjs/common";
import { IsNull } from "typeorm";
import { v7 as uuid } from "uuid";
import { AttachmentEntity } from "../../conversations/attachments/attachment.entity.js";
import { type Caller, callerId } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { notFound } from "../../platform/http/errors.js";
import { type Json, type Ok, ok } from "../../platform/http/json.js";
import { OutboundClient, OutboundError } from "../../platform/outbound/outbound.client.js";
import { WorkspaceEntity } from "../../workspaces/workspace.entity.js";
import { KB_STATEMENTS } from "../kb-entries/kb-entries.queries.js";
import { formatOf } from "./reading/read-document.js";
import { SourceDueEntity, SourceEntity, type SourceKind } from "./source.entity.js";
import type { CreateSourceDto, SourceDto, UpdateSourceDto } from "./sources.dto.js";
import { COUNT_SOURCES, GET_SOURCE, LIST_SOURCES, LOCK_SOURCE, LOCK_WAITING, MAKE_DUE } from "./sources.queries.js";

/** In a workspace. */
const MAX_SOURCES = 100;

@Injectable()
export class SourcesService {
  constructor(
    private readonly db: Database,
    private readonly client: OutboundClient,
  ) {}

  /** Newest first. */
  list(caller: Caller, workspaceId: string): Promise<Json<SourceDto[]>> {
    return this.db.read(caller, LIST_SOURCES, { workspaceId });
  }

  get(caller: Caller, id: string): Promise<Json<SourceDto>> {
    return this.db.read(caller, GET_SOURCE, { id });
  }

  /** @throws BadRequestException, NotFoundException (the workspace, the upload), ConflictException: it is there, or there are too many */
  create(
    caller: Caller,
    workspaceId: string,
    { kind, url, attachmentId, schedule = "never" }: CreateSourceDto,
  ): Promise<Json<SourceDto>> {
    this.assertOrigin(kind, url, attachmentId);
    const address = url === undefined ? null : this.addressOf(url);
    if (address === null && schedule !== "never") throw fileIsReadOnce();
    return this.db.transaction(caller, async (tx) => {
      // Locked, so that two requests at once do not both take the last place.
      await tx.findOrThrow(WorkspaceEntity, { id: workspaceId }, { lock: "no key update" });
      tx.changesWorkspace(workspaceId);
      const [{ count } = { count: 0 }] = await tx.query(COUNT_SOURCES, { workspaceId });
      if (count >= MAX_SOURCES) throw new ConflictException(`A workspace has at most ${MAX_SOURCES} sources`);
      const id = uuid();
      const made = await tx.insertOrIgnore(SourceEntity, {
        id,
        workspaceId,
        kind,
        url: address,
        attachmentId: attachmentId ?? null,
        fileName: attachmentId === undefined ? null : await this.fileOf(tx, kind, attachmentId),
        schedule,
      });
      if (!made) throw new ConflictException("The workspace has a source with this url already");
      await tx.query(MAKE_DUE, { id, schedule: null });
      return (await tx.read(GET_SOURCE, { id })).created();
    });
  }

  /** @throws BadRequestException, NotFoundException, ConflictException: it is being read */
  update(caller: Caller, id: string, { schedule, attachmentId }: UpdateSourceDto): Promise<Json<SourceDto>> {
    return this.db.transaction(caller, async (tx) => {
      const source = await this.lock(tx, id);
      if (attachmentId !== undefined) {
        const fileName = await this.fileOf(tx, source.kind, attachmentId);
        if (source.url !== null) throw new BadRequestException("attachmentId is for a source that is a file");
        if (isBusy(source)) throw busy();
        await tx.update(SourceEntity, { id }, { attachmentId, fileName });
        await this.wake(tx, id);
      }
      if (schedule !== undefined) {
        if (source.url === null && schedule !== "never") throw fileIsReadOnce();
        await tx.update(SourceEntity, { id }, { schedule, updatedAt: () => "now()" });
        // What is being read looks at its schedule when it ends.
        if (!isBusy(source)) await this.plan(tx, id, schedule);
      }
      return tx.read(GET_SOURCE, { id });
    });
  }

  /** @throws NotFoundException */
  delete(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      await this.lock(tx, id);
      const ids = (await tx.query(LOCK_WAITING, { id })).map((entry) => entry.id);
      await tx.query(KB_STATEMENTS.changes.forgetDuplicates, { ids });
      await tx.query(KB_STATEMENTS.changes.delete, { ids });
      await tx.delete(SourceEntity, { id });
      return ok();
    });
  }

  /** @throws NotFoundException, ConflictException: it is being read */
  read(caller: Caller, id: string): Promise<Json<SourceDto>> {
    return this.db.transaction(caller, async (tx) => {
      if (isBusy(await this.lock(tx, id))) throw busy();
      await this.wake(tx, id);
      return tx.read(GET_SOURCE, { id });
    });
  }

  private async lock(tx: Tx, id: string) {
    const [source] = await tx.query(LOCK_SOURCE, { id });
    if (!source) throw notFound();
    tx.changesWorkspace(source.workspaceId);
    return source;
  }

  private async wake(tx: Tx, id: string): Promise<void> {
    await tx.update(
      SourceEntity,
      { id },
      {
        status: "waiting",
        error: null,
        errorCode: null,
        errorValue: null,
        updatedAt: () => "now()",
      },
    );
    await tx.query(MAKE_DUE, { id, schedule: null });
  }

  private async plan(tx: Tx, id: string, schedule: string): Promise<void> {
    if (schedule === "never") await tx.delete(SourceDueEntity, { sourceId: id });
    else await tx.query(MAKE_DUE, { id, schedule });
  }

  private assertOrigin(kind: SourceKind, url: string | undefined, attachmentId: string | undefined): void {
    if ((url === undefined) === (attachmentId === undefined))
      throw new BadRequestException("A source has either url or attachmentId");
    if (kind === "website" && url === undefined)
      throw new BadRequestException("url must be the address of the website");
    if (kind === "file" && url !== undefined)
      throw new BadRequestException("attachmentId must be the file: upload it with POST /api/attachments first");
  }

  /** @throws BadRequestException */
  private addressOf(url: string): string {
    try {
      const target = this.client.registrable(url);
      target.hash = "";
      return target.href;
    } catch (error) {
      if (error instanceof OutboundError) throw new BadRequestException(`url: ${error.message}`);
      throw error;
    }
  }

  /** The name of an upload of the caller that is in no message. @throws NotFoundException, BadRequestException: no reader reads it */
  private async fileOf(tx: Tx, kind: SourceKind, id: string): Promise<string> {
    const uploadedBy = callerId(tx.caller);
    const file = uploadedBy && (await tx.findOne(AttachmentEntity, { id, uploadedBy, messageId: IsNull() }));
    if (!file) throw notFound();
    if (kind === "file" && !formatOf(file.contentType, file.fileName))
      throw new BadRequestException("The file must be a PDF, a Word document (.docx), HTML, Markdown or plain text");
    return file.fileName;
  }
}

const isBusy = ({ status }: { status: string }): boolean => status === "waiting" || status === "reading";
const busy = (): ConflictException => new ConflictException("The source is being read; wait until it is ready");
const fileIsReadOnce = (): BadRequestException =>
  new BadRequestException("schedule must be never for a file: give the source a newer file instead");
