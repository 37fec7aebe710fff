import { BadRequestException, Injectable } from "@nestjs/common";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { type Sealer, Sealers } from "../../platform/database/seal.js";
import { sql, TENANT } from "../../platform/database/sql.js";
import { one, polled, projection, REACHABLE } from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";
import { OutboundClient, OutboundError } from "../../platform/outbound/outbound.client.js";
import type { Json } from "../../platform/http/json.js";
import { WorkspaceEntity } from "../../workspaces/workspace.entity.js";
import { type SourceType, type StoredQuestion, VerificationSourceEntity } from "./verification-source.entity.js";
import type {
  PutVerificationSourceDto,
  PutVerificationSourcesDto,
  VerificationSourceDto,
  VerificationSourcesDto,
} from "./verification-sources.dto.js";

const SOURCE = projection<VerificationSourceDto>({
  name: sql`s.name`,
  type: sql`s.type`,
  questions: sql`s.questions`,
  url: sql`s.url`,
  hasCredentials: sql`s.sealed is not null`,
});
const GET = polled(
  one<VerificationSourcesDto, { workspaceId: string }>(
    "verificationSources.get",
    "restricted",
    ({ workspaceId }) => sql`
      select (
        select coalesce(json_agg(i), '[]')
        from (
          select ${SOURCE}
          from verification_source s
          where s.tenant_id = ${TENANT} and s.workspace_id = w.id
          order by s.position
        ) i
      ) as sources
      from workspace w
      where w.id = ${workspaceId} and ${REACHABLE}`,
  ),
);

/** A source with its credentials, ready to be used. */
export interface Source {
  name: string;
  type: SourceType;
  url: string | null;
  questions: StoredQuestion[];
  /** The whole `Authorization` header. */
  authorization: string | null;
}

@Injectable()
export class VerificationSourcesService {
  private readonly sealer: Sealer;

  constructor(
    private readonly db: Database,
    private readonly outbound: OutboundClient,
    sealers: Sealers,
  ) {
    this.sealer = sealers.for("verification sources");
  }

  get(caller: Caller, workspaceId: string): Promise<Json<VerificationSourcesDto>> {
    return this.db.read(caller, GET, { workspaceId });
  }

  /** @returns undefined if there is no source with this name, or no longer */
  async find(tx: Tx, workspaceId: string, name: string): Promise<Source | undefined> {
    const found = await tx.findOne(VerificationSourceEntity, { workspaceId, name });
    if (!found) return undefined;
    const { type, url, questions, sealed } = found;
    const row = sealedRow(tx.caller.tenantId, workspaceId, name);
    const authorization = sealed && this.sealer.open<{ authorization: string }>(sealed, row).authorization;
    return { name, type, url, questions, authorization };
  }

  private assertCallable(name: string, url: string): void {
    try {
      this.outbound.target(url);
    } catch (error) {
      throw error instanceof OutboundError ? new BadRequestException(`${name}: ${error.message}`) : error;
    }
  }

  /** Replaces all sources. A source without `credentials` keeps those stored under its name. */
  put(
    caller: Caller,
    workspaceId: string,
    { sources }: PutVerificationSourcesDto,
  ): Promise<Json<VerificationSourcesDto>> {
    sources.forEach(assertConsistent);
    for (const { name, url } of sources) if (url != null) this.assertCallable(name, url);
    return this.db.transaction(caller, async (tx) => {
      // Concurrent replacements run one after the other, so their sources never mix.
      await tx.findOrThrow(WorkspaceEntity, { id: workspaceId }, { lock: "no key update" });
      tx.changesWorkspace(workspaceId);
      const before = await tx.deleteReturning(VerificationSourceEntity, { workspaceId }, ["name", "url", "sealed"]);
      // Credentials are kept only for the same host. Otherwise an admin could read them by pointing the source elsewhere.
      const kept = new Map(before.map(({ name, url, sealed }) => [`${name} ${url && new URL(url).origin}`, sealed]));
      const rows = sources.map(({ name, type, questions, url = null, credentials }, position) => ({
        workspaceId,
        name,
        position,
        type,
        url,
        sealed: credentials
          ? this.sealer.seal(credentials, sealedRow(caller.tenantId, workspaceId, name))
          : credentials === undefined && url !== null
            ? (kept.get(`${name} ${new URL(url).origin}`) ?? null)
            : null,
        questions: questions.map(({ key, prompt, attribute = null, path = null }): StoredQuestion => ({
          key,
          prompt,
          attribute,
          path,
        })),
      }));
      if (rows.length) await tx.insert(VerificationSourceEntity, rows);
      return tx.read(GET, { workspaceId });
    });
  }
}

/** The row that credentials are sealed for. */
const sealedRow = (tenantId: string, workspaceId: string, name: string): string => tenantId + workspaceId + name;

/** @throws BadRequestException if a source lacks a field that its type needs, or has one of the other type */
function assertConsistent({ name, type, questions, url, credentials }: PutVerificationSourceDto): void {
  const [needed, other] = type === "http" ? (["path", "attribute"] as const) : (["attribute", "path"] as const);
  for (const question of questions) {
    if (question[needed] == null)
      throw new BadRequestException(`${name}: each question of type ${type} needs ${needed}; ${question.key} has none`);
    if (question[other] != null)
      throw new BadRequestException(`${name}: a question of type ${type} has no ${other}; ${question.key} has one`);
  }
  if (type === "http" && url == null) throw new BadRequestException(`${name}: a source of type http needs url`);
  if (type !== "http" && (url != null || credentials))
    throw new BadRequestException(`${name}: a source of type ${type} has neither url nor credentials`);
}
