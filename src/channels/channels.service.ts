import {
  BadRequestException,
  ConflictException,
  ForbiddenException,
  Injectable,
  type OnModuleInit,
} from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { settleAbout } from "../conversations/attention/raise.js";
import type { Caller } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import type { Tx } from "../platform/database/transaction.js";
import { DomainEvents } from "../platform/events/domain-events.js";
import { coded } from "../platform/http/error-codes.js";
import { ARCHIVED, notFound } from "../platform/http/errors.js";
import { type Json, type Ok, ok } from "../platform/http/json.js";
import { OutboxService } from "../platform/outbox/outbox.service.js";
import type { ChannelDto } from "../workspaces/channel.dto.js";
import { ChannelDueEntity, ChannelEntity, type ChannelSignIn } from "../workspaces/channel.entity.js";
import { WorkspaceCreated } from "../workspaces/workspace-events.js";
import { WorkspaceEntity } from "../workspaces/workspace.entity.js";
import { ChannelCredentials } from "./channel-credentials.js";
import { ChannelError, type ChannelKind, type OpenChannel } from "./channel-kind.js";
import { ChannelKinds } from "./channel-kinds.js";
import { ChannelLookupEntity } from "./channel-lookup.entity.js";
import type { CreateChannelDto, UpdateChannelDto } from "./channels.dto.js";
import {
  FIND_CHANNEL,
  FIND_CHANNEL_FOR_SHARE,
  GET_CHANNEL,
  LIST_ENABLED,
  LOCK_MAILBOXES,
  SCHEDULE_CHECK,
} from "./channels.queries.js";
import { missingOf } from "./missing.js";
import { validAddress, validFields } from "./validate-channel.js";

@Injectable()
export class ChannelsService implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly kinds: ChannelKinds,
    private readonly credentialStore: ChannelCredentials,
    private readonly outbox: OutboxService,
    private readonly events: DomainEvents,
  ) {}

  onModuleInit(): void {
    this.events.handle(WorkspaceCreated, async (tx, { workspaceId }) => {
      for (const kind of this.kinds.inEveryWorkspace()) {
        const id = uuid();
        const row = { id, workspaceId, type: kind.type, name: kind.inEveryWorkspace!, ...propertiesOf(kind) };
        await tx.insert(ChannelEntity, { ...row, address: kind.publicAddress?.(tx.caller.tenantId, id) ?? null });
      }
    });
  }

  get(caller: Caller, id: string): Promise<Json<ChannelDto>> {
    return this.db.read(caller, GET_CHANNEL, { id });
  }

  create(caller: Caller, workspaceId: string, body: CreateChannelDto): Promise<Json<ChannelDto>> {
    return this.db.transaction(caller, async (tx) =>
      (await tx.read(GET_CHANNEL, { id: await this.add(tx, workspaceId, body) })).created(),
    );
  }

  /** @throws BadRequestException, NotFoundException (the workspace), ConflictException (archived) */
  async add(
    tx: Tx,
    workspaceId: string,
    { type, name, address = null, settings = {}, credentials }: CreateChannelDto,
  ): Promise<string> {
    const kind = this.kinds.of(type);
    const id = uuid();
    const valid = {
      address: validAddress(kind, address) ?? kind.publicAddress?.(tx.caller.tenantId, id) ?? null,
      settings: validFields(kind.settings, settings, "settings"),
    };
    const sealed =
      credentials &&
      this.credentialStore.seal(tx.caller.tenantId, id, validCredentials(kind, credentials, valid.settings));
    const workspace = await tx.findOrThrow(WorkspaceEntity, { id: workspaceId });
    if (workspace.status === "archived") throw new ConflictException(ARCHIVED);
    tx.changesWorkspace(workspaceId);
    await tx.insert(ChannelEntity, {
      id,
      workspaceId,
      type,
      name,
      ...valid,
      status: "disabled",
      ...propertiesOf(kind),
      credentials: sealed?.credentials ?? null,
      credentialFingerprint: sealed?.fingerprint ?? null,
    });
    if (kind.receive !== undefined || kind.hasWebhooks) await tx.insert(ChannelLookupEntity, { channelId: id });
    await this.makeReady(tx, kind, {
      id,
      settings: valid.settings,
      signIn: null,
      hasCredentials: sealed !== undefined,
    });
    return id;
  }

  update(
    caller: Caller,
    id: string,
    { name, address, settings, enabled }: UpdateChannelDto,
  ): Promise<Json<ChannelDto>> {
    return this.db.transaction(caller, async (tx) => {
      const before = await this.lock(tx, id);
      const kind = this.kinds.of(before.type);
      const set = {
        address: address === undefined ? before.address : (validAddress(kind, address) ?? before.address),
        settings: settings === undefined ? before.settings : validFields(kind.settings, settings, "settings"),
      };
      const sameAddress = set.address === before.address;
      // The stored credentials would open what the new address names.
      const opensAnother = !sameAddress && [before, set].some(({ settings: one }) => kind.credentialsVouch?.(one));
      const sameServers = kind.boundTo?.(set.settings, set.address) === kind.boundTo?.(before.settings, before.address);
      // What it loses then, only such a caller can store again.
      const losesTrust = before.credentials !== null && !sameServers && kind.credentialsVouch?.(set.settings);
      if (opensAnother || losesTrust || kind.settingsVouch?.(set.settings) !== kind.settingsVouch?.(before.settings))
        assertMayVouch(caller);
      const changed = !sameAddress || JSON.stringify(set.settings) !== JSON.stringify(before.settings);
      const keepsCredentials = before.credentials !== null && sameServers;
      const signIn = sameServers && sameAddress ? before.signIn : null;
      await tx.update(
        ChannelEntity,
        { id },
        {
          ...set,
          ...(name !== undefined && { name }),
          ...(changed && { revision: () => "revision + 1" }),
          ...(!keepsCredentials && { credentials: null, credentialFingerprint: null }),
          ...(signIn === null && { signIn, tokens: null, renewingUntil: null }),
          updatedAt: () => "now()",
        },
      );
      if (enabled === false) await this.disable(tx, id);
      else if (before.status === "disabled" ? enabled : changed)
        await this.makeReady(tx, kind, { id, settings: set.settings, signIn, hasCredentials: keepsCredentials });
      return tx.read(GET_CHANNEL, { id });
    });
  }

  putCredentials(caller: Caller, id: string, credentials: object): Promise<Json<ChannelDto>> {
    return this.db.transaction(caller, async (tx) => {
      const { type, status, settings, signIn } = await this.lock(tx, id);
      const kind = this.kinds.of(type);
      if (kind.credentialsVouch?.(settings)) assertMayVouch(caller);
      const sealed = this.credentialStore.seal(caller.tenantId, id, validCredentials(kind, credentials, settings));
      await tx.update(
        ChannelEntity,
        { id },
        {
          credentials: sealed.credentials,
          credentialFingerprint: sealed.fingerprint,
          revision: () => "revision + 1",
          updatedAt: () => "now()",
        },
      );
      if (status !== "disabled") await this.makeReady(tx, kind, { id, settings, signIn, hasCredentials: true });
      return tx.read(GET_CHANNEL, { id });
    });
  }

  /** @throws ConflictException: the channel is disabled, has no credentials, or nobody has signed in */
  retryProvisioning(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      const channel = await this.lock(tx, id);
      const kind = this.kinds.of(channel.type);
      if (channel.status === "disabled") throw new ConflictException("The channel is disabled: enable it first");
      const ready = { ...channel, hasCredentials: channel.credentials !== null };
      const missing = missingOf(kind, ready, caller.environment);
      if (missing !== undefined) throw new ConflictException(missing);
      if (channel.status !== "active") await this.makeReady(tx, kind, ready);
      return ok();
    });
  }

  /** Somebody has signed in to the channel, which the caller has locked and changed: it is set up anew. */
  async signedIn(
    tx: Tx,
    { id, type, status, settings, credentials }: ChannelEntity,
    signIn: ChannelSignIn,
  ): Promise<void> {
    await tx.update(ChannelEntity, { id }, { signIn, revision: () => "revision + 1", updatedAt: () => "now()" });
    const ready = { id, settings, signIn, hasCredentials: credentials !== null };
    if (status !== "disabled") await this.makeReady(tx, this.kinds.of(type), ready);
  }

  /**
   * The channel and its kind. The credentials are opened when they are first read.
   * @throws NotFoundException: there is none within the caller's reach
   */
  async open(tx: Tx, id: string, lock?: "for share"): Promise<{ channel: OpenChannel; kind: ChannelKind }> {
    const [stored] = await tx.query(lock ? FIND_CHANNEL_FOR_SHARE : FIND_CHANNEL, { id });
    if (!stored) throw notFound();
    const { type, credentials: sealed, ...channel } = stored;
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

  /** Keeps others from changing the channel until the transaction ends. */
  async lock(tx: Tx, id: string): Promise<ChannelEntity> {
    const channel = await tx.findOrThrow(ChannelEntity, { id }, { lock: "no key update" });
    tx.changesWorkspace(channel.workspaceId);
    return channel;
  }

  private async disable(tx: Tx, id: string): Promise<void> {
    await tx.update(
      ChannelEntity,
      { id },
      { status: "disabled", attempts: 0, lastError: null, nextRetryAt: null, failingSince: null },
    );
    await tx.delete(ChannelDueEntity, { channelId: id });
    await settleAbout(tx, { channelId: id }, "channel_error");
  }

  /** Begins provisioning anew. A kind that needs none is active immediately, once it has its credentials. */
  private async makeReady(
    tx: Tx,
    kind: ChannelKind,
    channel: Pick<ChannelEntity, "id" | "settings" | "signIn"> & { hasCredentials: boolean },
  ): Promise<void> {
    const { id } = channel;
    const missing = missingOf(kind, channel, tx.caller.environment);
    if (!kind.provision && missing === undefined) return this.activate(tx, id);
    await tx.update(
      ChannelEntity,
      { id },
      {
        status: "provisioning",
        attempts: 0,
        lastError: missing ?? null,
        nextRetryAt: missing === undefined ? () => "now()" : null,
        failingSince: null,
        updatedAt: () => "now()",
      },
    );
    if (kind.reads) await this.assertReadsAlone(tx, kind, id);
    if (missing === undefined) await tx.query(SCHEDULE_CHECK, { channelId: id, seconds: 0 });
    else await tx.delete(ChannelDueEntity, { channelId: id });
  }

  /** @throws ConflictException: another channel reads the same mailbox */
  private async assertReadsAlone(tx: Tx, kind: ChannelKind, id: string): Promise<void> {
    await tx.query(LOCK_MAILBOXES);
    const enabled = await tx.query(LIST_ENABLED, { type: kind.type });
    const { tenantId } = tx.caller;
    const mailboxOf = ({ id: ofId, credentials, ...channel }: (typeof enabled)[number]): string | undefined => {
      try {
        return kind.reads!({
          ...channel,
          credentials: credentials && this.credentialStore.open(tenantId, ofId, credentials),
        });
      } catch (error) {
        // It was sealed with a key that we do not have, so the channel reads nothing.
        if (error instanceof ChannelError) return undefined;
        throw error;
      }
    };
    const own = mailboxOf(enabled.find((channel) => channel.id === id)!);
    if (own === undefined) return;
    const other = enabled.find((channel) => channel.id !== id && mailboxOf(channel) === own);
    if (!other) return;
    const which = other.isInReach ? `The channel ${other.name}` : "A channel of another workspace";
    throw new ConflictException(
      `${which} reads this mailbox already. Disable it first: otherwise each mail would be answered twice`,
    );
  }

  /** A channel in error that seems to work again, as it was configured then, is checked now, whether or not it was to be checked again. */
  async checkAgain(tx: Tx, { id, revision }: Pick<ChannelEntity, "id" | "revision">): Promise<void> {
    const failed = { id, revision, status: "error" } as const;
    const next = { nextRetryAt: () => "now()", updatedAt: () => "now()" };
    if (await tx.update(ChannelEntity, failed, next)) await tx.query(SCHEDULE_CHECK, { channelId: id, seconds: 0 });
  }

  /** The channel works: messages that waited for it are sent, and the attention item is resolved. */
  async activate(tx: Tx, id: string): Promise<void> {
    await tx.update(
      ChannelEntity,
      { id },
      {
        status: "active",
        attempts: 0,
        lastError: null,
        nextRetryAt: null,
        failingSince: null,
        updatedAt: () => "now()",
      },
    );
    await this.outbox.resume(tx, id);
    await settleAbout(tx, { channelId: id }, "channel_error");
  }
}

/** @throws BadRequestException */
function validCredentials(kind: ChannelKind, credentials: object, settings: object): object {
  const { type } = kind;
  const fields = kind.credentialsOf?.(settings) ?? kind.credentials;
  if (!fields) throw new BadRequestException(`credentials: a channel of type ${type} has none`);
  return validFields(fields, credentials, "credentials");
}

/**
 * A caller that is restricted to workspaces must not decide who proves, in the whole tenant, that a message is from a contact.
 * @throws ForbiddenException
 */
export function assertMayVouch({ reach }: Caller): void {
  if (reach.level !== "tenant")
    throw coded(new ForbiddenException(), "reach-missing", "takes a caller that reaches the whole organisation");
}

/** What the database has to know of a channel's kind. */
const propertiesOf = ({ deliver, mute, fetched }: ChannelKind): Pick<ChannelEntity, "delivers" | "fetched"> => ({
  delivers: deliver !== undefined || mute !== undefined,
  fetched: fetched === true,
});
