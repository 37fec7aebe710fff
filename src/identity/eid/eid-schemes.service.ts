import { BadRequestException, Injectable } from "@nestjs/common";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { type Sealer, Sealers } from "../../platform/database/seal.js";
import { sql, TENANT } from "../../platform/database/sql.js";
import { one, polled, projection, REACHABLE } from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";
import type { Json } from "../../platform/http/json.js";
import { OutboundClient, OutboundError } from "../../platform/outbound/outbound.client.js";
import { WorkspaceEntity } from "../../workspaces/workspace.entity.js";
import type { BindingRule } from "./first-binding.js";
import { EidSchemeEntity } from "./eid.entity.js";
import type { EidSchemeDto, EidSchemesDto, PutEidSchemesDto } from "./eid-schemes.dto.js";

const SCHEME = projection<EidSchemeDto>({
  name: sql`s.name`,
  issuer: sql`s.issuer`,
  clientId: sql`s.client_id`,
  hasSecret: sql`s.sealed is not null`,
  acrValues: sql`s.acr_values`,
  personIdentifierClaim: sql`s.person_identifier_claim`,
  binding: sql`s.binding`,
});
const GET = polled(
  one<EidSchemesDto, { workspaceId: string }>(
    "eidSchemes.get",
    "restricted",
    ({ workspaceId }) => sql`
      select (
        select coalesce(json_agg(i), '[]')
        from (
          select ${SCHEME}
          from eid_scheme s
          where s.tenant_id = ${TENANT} and s.workspace_id = w.id
          order by s.position
        ) i
      ) as schemes
      from workspace w
      where w.id = ${workspaceId} and ${REACHABLE}`,
  ),
);

/** A scheme with its secret, ready to be used. */
export interface Scheme {
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string | null;
  acrValues: string[];
  personIdentifierClaim: string;
  binding: BindingRule;
}
export type SealedScheme = Omit<Scheme, "clientSecret"> & {
  /** Base64. */
  sealed: string | null;
};
/** A sealed scheme, from a row `s`. */
export const SEALED_SCHEME = projection<SealedScheme>({
  name: sql`s.name`,
  issuer: sql`s.issuer`,
  clientId: sql`s.client_id`,
  sealed: sql`encode(s.sealed, 'base64')`,
  acrValues: sql`s.acr_values`,
  personIdentifierClaim: sql`s.person_identifier_claim`,
  binding: sql`s.binding`,
});

@Injectable()
export class EidSchemesService {
  private readonly sealer: Sealer;

  constructor(
    private readonly db: Database,
    private readonly outbound: OutboundClient,
    sealers: Sealers,
  ) {
    this.sealer = sealers.for("eid schemes");
  }

  get(caller: Caller, workspaceId: string): Promise<Json<EidSchemesDto>> {
    return this.db.read(caller, GET, { workspaceId });
  }

  /** @returns undefined if the workspace has no scheme with this name */
  async find(tx: Tx, workspaceId: string, name: string): Promise<Scheme | undefined> {
    const found = await tx.findOne(EidSchemeEntity, { workspaceId, name });
    if (!found) return undefined;
    const { issuer, clientId, sealed, acrValues, personIdentifierClaim, binding } = found;
    const clientSecret = sealed && this.openSecret(tx.caller, workspaceId, name, sealed);
    return { name, issuer, clientId, clientSecret, acrValues, personIdentifierClaim, binding };
  }

  open(caller: Caller, workspaceId: string, { sealed, ...scheme }: SealedScheme): Scheme {
    const clientSecret =
      sealed === null ? null : this.openSecret(caller, workspaceId, scheme.name, Buffer.from(sealed, "base64"));
    return { ...scheme, clientSecret };
  }

  private openSecret({ tenantId }: Caller, workspaceId: string, name: string, sealed: Buffer): string {
    return this.sealer.open<string>(sealed, sealedRow(tenantId, workspaceId, name));
  }

  /** Replaces all schemes. A scheme without `clientSecret` keeps the one stored under its name. */
  put(caller: Caller, workspaceId: string, { schemes }: PutEidSchemesDto): Promise<Json<EidSchemesDto>> {
    for (const { name, issuer } of schemes) this.assertCallable(name, issuer);
    return this.db.transaction(caller, async (tx) => {
      // Concurrent replacements run one after the other, so their schemes never mix.
      await tx.findOrThrow(WorkspaceEntity, { id: workspaceId }, { lock: "no key update" });
      tx.changesWorkspace(workspaceId);
      const before = await tx.deleteReturning(EidSchemeEntity, { workspaceId }, ["name", "issuer", "sealed"]);
      // Secrets are kept only for the same host. Otherwise an admin could read them by pointing the scheme elsewhere.
      const kept = new Map(before.map(({ name, issuer, sealed }) => [`${name} ${new URL(issuer).origin}`, sealed]));
      const rows = schemes.map(
        ({ name, issuer, clientId, clientSecret, acrValues, personIdentifierClaim, binding }, position) => ({
          workspaceId,
          name,
          position,
          issuer,
          clientId,
          sealed: clientSecret
            ? this.sealer.seal(clientSecret, sealedRow(caller.tenantId, workspaceId, name))
            : clientSecret === undefined
              ? (kept.get(`${name} ${new URL(issuer).origin}`) ?? null)
              : null,
          acrValues,
          personIdentifierClaim,
          binding: { ...binding! },
        }),
      );
      if (rows.length) await tx.insert(EidSchemeEntity, rows);
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
const sealedRow = (tenantId: string, workspaceId: string, name: string): string => tenantId + workspaceId + name;
