import { BadRequestException, Injectable } from "@nestjs/common";
import type { Caller } from "../../platform/caller/caller.js";
import { Config } from "../../platform/config/config.js";
import { Database } from "../../platform/database/database.js";
import { Sealer } from "../../platform/database/seal.js";
import { one, polled, projection, REACHABLE } from "../../platform/database/statement.js";
import { notFound } from "../../platform/http/errors.js";
import type { Tx } from "../../platform/database/transaction.js";
import { OutboundClient, OutboundError } from "../../platform/outbound/outbound.client.js";
import type { Json } from "../../platform/http/json.js";
import type { SourceType } from "./verification-source.entity.js";
import type {
  PutVerificationSourceDto,
  PutVerificationSourcesDto,
  VerificationSourceDto,
  VerificationSourcesDto,
} from "./verification-sources.dto.js";

const SOURCE = projection<VerificationSourceDto>({
  name: "s.name",
  type: "s.type",
  questions: "s.questions",
  url: "s.url",
  hasCredentials: "s.sealed is not null",
});
const GET = polled(
  one<VerificationSourcesDto, { workspaceId: string }>(
    "verification-sources.get",
    "workspace",
    `select (select coalesce(json_agg(i), '[]') from (
      select ${SOURCE} from verification_source s where s.tenant_id = w.tenant_id and s.workspace_id = w.id order by s.position) i) as sources
   from workspace w where w.id = :workspaceId and ${REACHABLE}`,
  ),
);

@Injectable()
export class VerificationSourcesService {
  private readonly sealer: Sealer;

  constructor(
    private readonly db: Database,
    private readonly outbound: OutboundClient,
    config: Config,
  ) {
    this.sealer = new Sealer(config.secretKeys, "verification sources");
  }

  get(caller: Caller, workspaceId: string): Promise<Json<VerificationSourcesDto>> {
    return this.db.read(caller, GET, { workspaceId });
  }

  /** @returns undefined where it was taken away meanwhile */
  async find(tx: Tx, workspaceId: string, name: string): Promise<Source | undefined> {
    const [row] = await tx.query<Omit<Source, "authorization"> & { sealed: Buffer | null }>(
      "select name, type, url, questions, sealed from verification_source where tenant_id = :tenant and workspace_id = :workspaceId and name = :name",
      { workspaceId, name },
    );
    if (!row) return undefined;
    const { sealed, ...source } = row;
    return {
      ...source,
      authorization:
        sealed &&
        this.sealer.open<{ authorization: string }>(sealed, place(tx.caller.tenantId, workspaceId, name)).authorization,
    };
  }

  private assertCallable(name: string, url: string): void {
    try {
      this.outbound.target(url);
    } catch (error) {
      throw error instanceof OutboundError ? new BadRequestException(`${name}: ${error.message}`) : error;
    }
  }

  /** Replaces all of them, but for credentials that are left out. */
  put(
    caller: Caller,
    workspaceId: string,
    { sources }: PutVerificationSourcesDto,
  ): Promise<Json<VerificationSourcesDto>> {
    sources.forEach(assertConsistent);
    for (const { name, url } of sources) if (url != null) this.assertCallable(name, url);
    return this.db.transaction(caller, async (tx) => {
      // Of two that replace the sources at once, one comes after the other: they never mix.
      const [workspace] = await tx.query(
        `select w.id from workspace w where w.id = :workspaceId and ${REACHABLE} for no key update`,
        { workspaceId },
      );
      if (!workspace) throw notFound();
      tx.within(workspaceId);
      const before = await tx.query<{ name: string; url: string | null; sealed: Buffer | null }>(
        "delete from verification_source where tenant_id = :tenant and workspace_id = :workspaceId returning name, url, sealed",
        { workspaceId },
      );
      // Kept for the host that they were given for alone: nobody shall collect them by naming another.
      const kept = new Map(before.map(({ name, url, sealed }) => [`${name} ${url && new URL(url).origin}`, sealed]));
      const rows = sources.map(({ name, type, questions, url = null, credentials }, position) => {
        const sealed = credentials
          ? this.sealer.seal(credentials, place(caller.tenantId, workspaceId, name))
          : credentials === undefined && url !== null
            ? kept.get(`${name} ${new URL(url).origin}`)
            : null;
        return {
          name,
          position,
          type,
          url,
          sealed: sealed?.toString("base64"),
          questions: questions.map(({ key, prompt, attribute = null, path = null }) => ({
            key,
            prompt,
            attribute,
            path,
          })),
        };
      });
      await tx.query(
        `insert into verification_source (tenant_id, workspace_id, name, position, type, questions, url, sealed)
        select :tenant, :workspaceId, s.name, s.position, s.type, s.questions, s.url, decode(s.sealed, 'base64')
        from jsonb_to_recordset(:rows::jsonb) as s (name text, position integer, type text, questions jsonb, url text, sealed text)`,
        { workspaceId, rows: JSON.stringify(rows) },
      );
      return tx.read(GET, { workspaceId });
    });
  }
}

/** A source as it is used: with its credentials. */
export interface Source {
  name: string;
  type: SourceType;
  url: string | null;
  questions: { key: string; prompt: string; attribute: string | null; path: string | null }[];
  /** The whole `Authorization` header. */
  authorization: string | null;
}

/** The row that credentials are sealed for. */
const place = (tenantId: string, workspaceId: string, name: string): string => tenantId + workspaceId + name;

/** @throws BadRequestException where a source lacks what its type needs, or has what only the other type has */
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
