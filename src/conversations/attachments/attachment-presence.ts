import { Injectable, Logger } from "@nestjs/common";
import { system } from "../../platform/caller/caller.js";
import { Config, ConfigError } from "../../platform/config/config.js";
import { Database } from "../../platform/database/database.js";
import { sql, TENANT } from "../../platform/database/sql.js";
import { globalQuery, type NoArgs, query } from "../../platform/database/statements.js";
import { AttachmentStore, FilesUnavailable } from "./attachment-store.js";
import { openFile } from "./print.js";

/** A look takes moments, also with thousands of tenants. */
const ENOUGH_FILES = 16;
const MOST_SIDES = 50;

const SOME_SIDES = globalQuery<{ most: number }, { id: string; environment: "live" | "test" }>()(
  "attachments.someSides",
  "everywhere",
  ({ most }) => sql`select id, environment from tenant order by random() limit ${most}`,
);

/** The oldest and the newest, because those of before a change of the settings may be elsewhere. Their ids say when they were made. */
const SOME_FILES = query<NoArgs>()(
  "attachments.some",
  { unrestricted: "the start looks whether files are there" },
  () => sql`
    (select a.id from attachment a where a.tenant_id = ${TENANT} order by a.id limit 4)
    union
    (select a.id from attachment a where a.tenant_id = ${TENANT} order by a.id desc limit 4)`,
);

/** Which of some files are where the settings say. */
export interface Presence {
  looked: number;
  missing: number;
  /** What to do about it. Undefined if none is missing. */
  says?: string;
}

/** Finds out that a bucket was taken out of the settings, or a folder changed, before somebody misses a file. */
@Injectable()
export class AttachmentPresence {
  private readonly log = new Logger("attachments");

  constructor(
    private readonly db: Database,
    private readonly store: AttachmentStore,
    private readonly config: Config,
  ) {}

  /** @throws ConfigError if at least half of some files are not there. A single one may have been lost. */
  async assert(): Promise<void> {
    let presence: Presence;
    try {
      presence = await this.look();
    } catch (error) {
      // Everything else works without S3, and so does the start.
      if (error instanceof FilesUnavailable) return;
      throw error;
    }
    const { looked, missing, says } = presence;
    if (!says) return;
    if (missing * 2 >= looked && !this.config.ATTACHMENTS_MAY_BE_MISSING) throw new ConfigError(says);
    this.log.error(says);
  }

  /** @throws FilesUnavailable */
  async look(): Promise<Presence> {
    let [looked, missing] = [0, 0];
    for (const { id: tenantId, environment } of await this.db.all(SOME_SIDES, { most: MOST_SIDES })) {
      const files = await this.db.transaction(system("attachments", tenantId, environment), (tx) => {
        tx.changesNothingVisible();
        return tx.query(SOME_FILES);
      });
      for (const { id } of files) {
        const bytes = await openFile(this.store, { tenantId, id });
        bytes?.destroy();
        if (!bytes) missing++;
      }
      looked += files.length;
      if (looked >= ENOUGH_FILES) break;
    }
    return { looked, missing, ...(missing && { says: this.describe(looked, missing) }) };
  }

  private describe(looked: number, missing: number): string {
    const { attachmentsDir, S3_BUCKET } = this.config;
    const places = `${attachmentsDir}${S3_BUCKET ? ` nor in the bucket ${S3_BUCKET}` : ""}`;
    return (
      `${missing} of ${looked} attachments that were looked for are not in ${places}: was ` +
      `${S3_BUCKET ? "S3_BUCKET or ATTACHMENTS_DIR changed" : "ATTACHMENTS_DIR changed, or S3_BUCKET taken away"}? ` +
      "Set it back, or bring the files (docs/attachments.md#where-files-are-kept). If they are lost, ATTACHMENTS_MAY_BE_MISSING=true starts without them"
    );
  }
}
