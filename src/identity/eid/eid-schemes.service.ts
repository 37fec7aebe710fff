import { BadRequestException, Injectable } from "@nestjs/common";
import type { Caller } from "../../platform/caller/caller.js";
import { Config } from "../../platform/config/config.js";
import { Database } from "../../platform/database/database.js";
import { Sealer } from "../../platform/database/seal.js";
import { one, polled, projection, REACHABLE } from "../../platform/database/statement.js";
import type { Tx } from "../../platform/database/transaction.js";
import { notFound } from "../../platform/http/errors.js";
import type { Json } from "../../platform/http/json.js";
import { OutboundClient, OutboundError } from "../../platform/outbound/outbound.client.js";
import type { EidSchemeDto, EidSchemesDto, PutEidSchemesDto } from "./eid-schemes.dto.js";

const SCHEME = projection<EidSchemeDto>({
  name: "s.name",
  issuer: "s.issuer",
  clientId: "s.client_id",
  hasSecret: "s.sealed is not null",
  acrValues: "s.acr_values",
  personIdentifierClaim: "s.person_identifier_claim",
});
const GET = polled(
  one<EidSchemesDto, { workspaceId: string }>(
    "eid-schemes.get",
    "workspace",
    `select (select coalesce(json_agg(i), '[]') from (
      select ${SCHEME} from eid_scheme s where s.tenant_id = w.tenant_id and s.workspace_id = w.id order by s.position) i) as schemes
   from workspace w where w.id = :workspaceId and ${REACHABLE}`,
  ),
);

/** A scheme as it is used: with its secret. */
export interface Scheme {
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string | null;
  acrValues: string[];
  personIdentifierClaim: string;
}
export type SealedScheme = Omit<Scheme, "clientSecret"> & { sealed: string | null };
/** The fields of one, from a row `s`. */
export const SEALED_SCHEME = projection<SealedScheme>({
  name: "s.name",
  issuer: "s.issuer",
  clientId: "s.client_id",
  sealed: `encode(s.sealed, 'base64')`,
  acrValues: "s.acr_values",
  personIdentifierClaim: "s.person_identifier_claim",
});

@Injectable()
export class EidSchemesService {
  private readonly sealer: Sealer;

  constructor(
    private readonly db: Database,
    private readonly outbound: OutboundClient,
    config: Config,
  ) {
    this.sealer = new Sealer(config.secretKeys, "eid schemes");
  }

  get(caller: Caller, workspaceId: string): Promise<Json<EidSchemesDto>> {
    return this.db.read(caller, GET, { workspaceId });
  }

  /** @returns undefined where there is none of the name */
  async find(tx: Tx, workspaceId: string, name: string): Promise<Scheme | undefined> {
    const [row] = await tx.query<SealedScheme>(
      `select ${SEALED_SCHEME} from eid_scheme s where s.tenant_id = :tenant and s.workspace_id = :workspaceId and s.name = :name`,
      { workspaceId, name },
    );
    return row && this.open(tx.caller, workspaceId, row);
  }

  open({ tenantId }: Caller, workspaceId: string, { sealed, ...scheme }: SealedScheme): Scheme {
    return {
      ...scheme,
      clientSecret:
        sealed === null
          ? null
          : this.sealer.open<string>(Buffer.from(sealed, "base64"), place(tenantId, workspaceId, scheme.name)),
    };
  }

  /** Replaces all of them, but for secrets that are left out. */
  put(caller: Caller, workspaceId: string, { schemes }: PutEidSchemesDto): Promise<Json<EidSchemesDto>> {
    for (const { name, issuer } of schemes) this.assertCallable(name, issuer);
    return this.db.transaction(caller, async (tx) => {
      // Of two that replace the schemes at once, one comes after the other: they never mix.
      const [workspace] = await tx.query(
        `select w.id from workspace w where w.id = :workspaceId and ${REACHABLE} for no key update`,
        { workspaceId },
      );
      if (!workspace) throw notFound();
      tx.within(workspaceId);
      const before = await tx.query<{ name: string; issuer: string; sealed: Buffer | null }>(
        "delete from eid_scheme where tenant_id = :tenant and workspace_id = :workspaceId returning name, issuer, sealed",
        { workspaceId },
      );
      // Kept for the host that they were given for alone: nobody shall collect them by naming another.
      const kept = new Map(before.map(({ name, issuer, sealed }) => [`${name} ${new URL(issuer).origin}`, sealed]));
      const rows = schemes.map(
        ({ name, issuer, clientId, clientSecret, acrValues, personIdentifierClaim }, position) => {
          const sealed = clientSecret
            ? this.sealer.seal(clientSecret, place(caller.tenantId, workspaceId, name))
            : clientSecret === undefined
              ? kept.get(`${name} ${new URL(issuer).origin}`)
              : null;
          return {
            name,
            position,
            issuer,
            clientId,
            sealed: sealed?.toString("base64"),
            acrValues,
            personIdentifierClaim,
          };
        },
      );
      await tx.query(
        `insert into eid_scheme (tenant_id, workspace_id, name, position, issuer, client_id, sealed, acr_values, person_identifier_claim)
        select :tenant, :workspaceId, s.name, s.position, s.issuer, s."clientId", decode(s.sealed, 'base64'), s."acrValues", s."personIdentifierClaim"
        from jsonb_to_recordset(:rows::jsonb) as s (name text, position integer, issuer text, "clientId" text, sealed text, "acrValues" text[], "personIdentifierClaim" text)`,
        { workspaceId, rows: JSON.stringify(rows) },
      );
      return tx.read(GET, { workspaceId });
    });
  }

  private assertCallable(name: string, issuer: string): void {
    try {
      this.outbound.target(issuer);
    } catch (error) {
      throw error instanceof OutboundError ? new BadRequestException(`${name}: ${error.message}`) : error;
    }
  }
}

/** The row that a secret is sealed for. */
const place = (tenantId: string, workspaceId: string, name: string): string => tenantId + workspaceId + name;
