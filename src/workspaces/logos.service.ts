import { randomUUID } from "node:crypto";
import { BadRequestException, Injectable } from "@nestjs/common";
import { fileTypeFromBuffer } from "file-type";
import { type Caller, system } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import type { Tx } from "../platform/database/transaction.js";
import { notFound } from "../platform/http/errors.js";
import { type Json, type Ok, ok } from "../platform/http/json.js";
import { sizeShown } from "../platform/pictures/picture-size.js";
import { DROP_OLD_LOGOS, GET_LOGO } from "./logos.queries.js";
import { MAX_LOGO_BYTES, WorkspaceEntity, WorkspaceLogoEntity } from "./workspace.entity.js";
import type { WorkspaceDto } from "./workspaces.dto.js";
import { GET_WORKSPACE } from "./workspaces.queries.js";

/** What every browser and mail program shows, and what runs nothing. */
const TYPES = ["image/png", "image/jpeg", "image/webp"];
const MAX_SIDE = 1_024;

/** The logo of a workspace, which is small enough to be kept in its row. */
@Injectable()
export class LogosService {
  constructor(private readonly db: Database) {}

  /** @throws BadRequestException (the picture), NotFoundException */
  async set(caller: Caller, workspaceId: string, image: string): Promise<Json<WorkspaceDto>> {
    const bytes = Buffer.from(image, "base64");
    const contentType = await typeOf(bytes);
    return this.db.transaction(caller, async (tx) => {
      const id = randomUUID();
      await point(tx, workspaceId, id);
      await tx.insert(WorkspaceLogoEntity, { id, workspaceId, contentType, bytes });
      await tx.query(DROP_OLD_LOGOS, { workspaceId });
      return tx.read(GET_WORKSPACE, { id: workspaceId });
    });
  }

  /** Mails that have left go on showing it. @throws NotFoundException */
  remove(caller: Caller, workspaceId: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      await point(tx, workspaceId, null);
      return ok();
    });
  }

  /** @throws NotFoundException */
  async read(tenantId: string, id: string): Promise<{ contentType: string; bytes: Buffer }> {
    const logo = (await this.db.read(system("workspaces.readLogo", tenantId, "live"), GET_LOGO, { id })).parse();
    return { contentType: logo.contentType, bytes: Buffer.from(logo.bytes, "base64") };
  }
}

/** Locks the row of the workspace. @throws NotFoundException: it is out of reach */
async function point(tx: Tx, id: string, logoId: string | null): Promise<void> {
  if (!(await tx.update(WorkspaceEntity, { id }, { logoId, updatedAt: () => "now()" }))) throw notFound();
}

/** @throws BadRequestException */
async function typeOf(bytes: Buffer): Promise<string> {
  const refuse = (why: string): never => {
    throw new BadRequestException(
      `image must be a PNG, JPEG or WebP of at most 100 kB and ${MAX_SIDE} pixels a side: ${why}`,
    );
  };
  if (bytes.length > MAX_LOGO_BYTES) return refuse(`it has ${Math.ceil(bytes.length / 1_024)} kB`);
  const type = (await fileTypeFromBuffer(bytes))?.mime;
  if (!type || !TYPES.includes(type)) return refuse("it is none");
  const size = sizeShown(bytes);
  if (!size) return refuse("it cannot be read");
  if (Math.max(size.width, size.height) > MAX_SIDE) return refuse(`it has ${size.width} × ${size.height}`);
  return type;
}
