import { BadRequestException, ConflictException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { settleAbout } from "../conversations/attention/raise.js";
import type { Caller } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import { inReach, one, polled } from "../platform/database/statement.js";
import type { Tx } from "../platform/database/transaction.js";
import { ARCHIVED, notFound } from "../platform/http/errors.js";
import { type Json, type Ok, ok } from "../platform/http/json.js";
import { Outbox } from "../platform/outbox/outbox.service.js";
import { CHANNEL, type ChannelDto } from "../workspaces/channel.dto.js";
import { ChannelEntity } from "../workspaces/channel.entity.js";
import { WorkspaceEntity } from "../workspaces/workspace.entity.js";
import type { ChannelKind, OpenChannel } from "./channel-kind.js";
import { ChannelKinds } from "./channel-kinds.js";
import type { CreateChannelDto, UpdateChannelDto } from "./channels.dto.js";
import { checked, checkedAddress } from "./validate-channel.js";
import { ChannelCredentials } from "./channel-credentials.js";

const GET = polled(
  one<ChannelDto, { id: string }>(
    "channels.get",
    "workspace",
    `select ${CHANNEL} from channel c where c.tenant_id = :tenant and c.id = :id and ${inReach("c")}`,
  ),
);

const WITHOUT_CREDENTIALS = "The channel has no credentials yet";

/** What was stored of a channel, with its credentials still sealed. */
type Row = Omit<OpenChannel, "tenantId" | "environment" | "credentials"> & {
  type: ChannelEntity["type"];
  credentials: Buffer | null;
};
const ROW =
  'c.id, c.workspace_id as "workspaceId", c.type, c.name, c.address, c.settings, c.credentials, c.status, c.revision';

@Injectable()
export class ChannelsService {
  constructor(
    private readonly db: Database,
    private readonly kinds: ChannelKinds,
    private readonly credentialStore: ChannelCredentials,
    private readonly outbox: Outbox,
  ) {}

  get(caller: Caller, id: string): Promise<Json<ChannelDto>> {
    return this.db.read(caller, GET, { id });
  }

  create(caller: Caller, workspaceId: string, body: CreateChannelDto): Promise<Json<ChannelDto>> {
    return this.db.transaction(caller, async (tx) =>
      (await tx.read(GET, { id: await this.add(tx, workspaceId, body) })).created(),
    );
  }

  /** @throws BadRequestException, NotFoundException (the workspace), ConflictException (archived) */
  async add(
    tx: Tx,
    workspaceId: string,
    { type, name, address = null, settings = {}, credentials }: CreateChannelDto,
  ): Promise<string> {
    const kind = this.kinds.of(type);
    const valid = { address: checkedAddress(kind, address), settings: checked(kind.settings, settings, "settings") };
    const id = uuid();
    const sealed =
      credentials && this.credentialStore.seal(tx.caller.tenantId, id, checkedCredentials(kind, credentials));
    const workspace = await tx.findOrThrow(WorkspaceEntity, { id: workspaceId });
    if (workspace.status === "archived") throw new ConflictException(ARCHIVED);
    tx.within(workspaceId);
    await tx.insert(ChannelEntity, {
      id,
      workspaceId,
      type,
      name,
      ...valid,
      status: "disabled",
      delivers: kind.deliver !== undefined || kind.mute !== undefined,
      credentials: sealed?.credentials ?? null,
      credentialFingerprint: sealed?.fingerprint ?? null,
    });
    if (kind.receive)
      await tx.query("insert into channel_lookup (channel_id, tenant_id) values (:id, :tenant)", { id });
    await this.makeReady(tx, { id, kind, hasCredentials: sealed !== undefined });
    return id;
  }

  update(
    caller: Caller,
    id: string,
    { name, address, settings, enabled }: UpdateChannelDto,
  ): Promise<Json<ChannelDto>> {
    return this.db.transaction(caller, async (tx) => {
      const row = await this.hold(tx, id);
      const kind = this.kinds.of(row.type);
      const set = {
        address: address === undefined ? row.address : checkedAddress(kind, address),
        settings: settings === undefined ? row.settings : checked(kind.settings, settings, "settings"),
      };
      const another = set.address !== row.address || JSON.stringify(set.settings) !== JSON.stringify(row.settings);
      const keeps = row.credentials !== null && kind.boundTo?.(set.settings) === kind.boundTo?.(row.settings);
      await tx.query(
        `update channel c set name = coalesce(:name, c.name), address = :address, settings = :settings::jsonb, revision = c.revision + :another::boolean::int, updated_at = now(),
          credentials = case when :keeps then c.credentials end, credential_fingerprint = case when :keeps then c.credential_fingerprint end
        where c.tenant_id = :tenant and c.id = :id`,
        { id, name, ...set, settings: JSON.stringify(set.settings), another, keeps },
      );
      if (enabled === false) await this.disable(tx, id);
      else if (row.status === "disabled" ? enabled : another)
        await this.makeReady(tx, { id, kind, hasCredentials: keeps });
      return tx.read(GET, { id });
    });
  }

  putCredentials(caller: Caller, id: string, credentials: object): Promise<Json<ChannelDto>> {
    return this.db.transaction(caller, async (tx) => {
      const { type, status } = await this.hold(tx, id);
      const kind = this.kinds.of(type);
      const sealed = this.credentialStore.seal(caller.tenantId, id, checkedCredentials(kind, credentials));
      await tx.query(
        "update channel c set credentials = :credentials, credential_fingerprint = :fingerprint, revision = c.revision + 1, updated_at = now() where c.tenant_id = :tenant and c.id = :id",
        { id, ...sealed },
      );
      if (status !== "disabled") await this.makeReady(tx, { id, kind, hasCredentials: true });
      return tx.read(GET, { id });
    });
  }

  /** @throws ConflictException: it is disabled, or has nothing to sign in with */
  retryProvisioning(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      const { type, status, credentials } = await this.hold(tx, id);
      const kind = this.kinds.of(type);
      if (status === "disabled") throw new ConflictException("The channel is disabled: enable it first");
      if (kind.credentials && !kind.credentialsOptional && !credentials)
        throw new ConflictException(WITHOUT_CREDENTIALS);
      if (status === "active") tx.unseen();
      else await this.makeReady(tx, { id, kind, hasCredentials: credentials !== null });
      return ok();
    });
  }

  /** As it is worked with, within the caller's reach. @throws NotFoundException */
  async open(tx: Tx, id: string, lock: "" | "for share" = ""): Promise<{ channel: OpenChannel; kind: ChannelKind }> {
    const [row] = await tx.query<Row>(
      `select ${ROW} from channel c where c.tenant_id = :tenant and c.id = :id and ${inReach("c")} ${lock}`,
      { id },
    );
    if (!row) throw notFound();
    const { type, credentials: sealed, ...channel } = row;
    const { tenantId, environment } = tx.caller;
    const { credentialStore } = this;
    return {
      kind: this.kinds.of(type),
      channel: {
        ...channel,
        tenantId,
        environment,
        get credentials() {
          return sealed && credentialStore.open(tenantId, id, sealed);
        },
      },
    };
  }

  /** Nobody else changes it until the transaction ends. */
  private async hold(tx: Tx, id: string): Promise<Row> {
    const [row] = await tx.query<Row>(
      `select ${ROW} from channel c where c.tenant_id = :tenant and c.id = :id and ${inReach("c")} for no key update`,
      { id },
    );
    if (!row) throw notFound();
    tx.within(row.workspaceId);
    return row;
  }

  private async disable(tx: Tx, id: string): Promise<void> {
    await tx.query(
      `update channel set status = 'disabled', attempts = 0, last_error = null, next_retry_at = null, failing_since = null where tenant_id = :tenant and id = :id`,
      { id },
    );
    await tx.query("delete from channel_due where tenant_id = :tenant and channel_id = :id", { id });
    await settleAbout(tx, { channelId: id }, "channel_error");
  }

  /** From the first attempt on; where there is nothing to be made ready, it is active. */
  private async makeReady(
    tx: Tx,
    { id, kind, hasCredentials }: { id: string; kind: ChannelKind; hasCredentials: boolean },
  ): Promise<void> {
    if (!kind.provision) return this.activate(tx, id);
    const wants = kind.credentials !== undefined && !kind.credentialsOptional && !hasCredentials;
    await tx.query(
      `update channel set status = 'provisioning', attempts = 0, last_error = :wanting, next_retry_at = case when :wanting::text is null then now() end, failing_since = null, updated_at = now()
      where tenant_id = :tenant and id = :id`,
      { id, wanting: wants ? WITHOUT_CREDENTIALS : null },
    );
    if (wants) await tx.query("delete from channel_due where tenant_id = :tenant and channel_id = :id", { id });
    else
      await tx.query(
        "insert into channel_due (tenant_id, channel_id) values (:tenant, :id) on conflict (tenant_id, channel_id) do update set due_at = clock_timestamp()",
        { id },
      );
  }

  /** It works: what waited leaves, and nobody need look any more. */
  async activate(tx: Tx, id: string): Promise<void> {
    await tx.query(
      `update channel set status = 'active', attempts = 0, last_error = null, next_retry_at = null, failing_since = null, updated_at = now() where tenant_id = :tenant and id = :id`,
      { id },
    );
    await this.outbox.resume(tx, id);
    await settleAbout(tx, { channelId: id }, "channel_error");
  }
}

/** @throws BadRequestException */
function checkedCredentials({ type, credentials: wanted }: ChannelKind, credentials: object): object {
  if (!wanted) throw new BadRequestException(`credentials: a channel of type ${type} has none`);
  return checked(wanted, credentials, "credentials");
}
