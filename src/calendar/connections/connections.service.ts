import { BadRequestException, ConflictException, Injectable } from "@nestjs/common";
import { isEmail } from "class-validator";
import { IsNull } from "typeorm";
import { v7 as uuid } from "uuid";
import { settleAbout } from "../../conversations/attention/raise.js";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { ARCHIVED } from "../../platform/http/errors.js";
import { type Json, type Ok, ok } from "../../platform/http/json.js";
import { OutboundClient, OutboundError } from "../../platform/outbound/outbound.client.js";
import { WorkspaceEntity } from "../../workspaces/workspace.entity.js";
import {
  DELETE_EVENTS_OF_CONNECTION,
  GET_CONNECTION,
  LIST_CALENDARS,
  LIST_CONNECTIONS,
} from "./connections.queries.js";
import { CalendarWriteEntity } from "../booking.entity.js";
import { CalendarConnectionEntity, CalendarDueEntity, CalendarEntity } from "../calendar.entity.js";
import type {
  CalendarConnectionDto,
  CalendarDto,
  CreateCalendarConnectionDto,
  ListCalendarConnectionsDto,
  UpdateCalendarConnectionDto,
} from "./connections.dto.js";
import { CalendarCredentials } from "../providers/calendar-credentials.js";
import { CalendarError } from "../providers/calendar-provider.js";

/** Of a workspace. Each of them is polled. */
const MAX_CONNECTIONS = 50;

@Injectable()
export class ConnectionsService {
  constructor(
    private readonly db: Database,
    private readonly credentials: CalendarCredentials,
    private readonly outbound: OutboundClient,
  ) {}

  list(caller: Caller, { workspaceId }: ListCalendarConnectionsDto): Promise<Json<CalendarConnectionDto[]>> {
    return this.db.read(caller, LIST_CONNECTIONS, { workspaceId });
  }

  get(caller: Caller, id: string): Promise<Json<CalendarConnectionDto>> {
    return this.db.read(caller, GET_CONNECTION, { id });
  }

  calendars(caller: Caller, id: string): Promise<Json<CalendarDto[]>> {
    return this.db.read(caller, LIST_CALENDARS, { id });
  }

  /**
   * Discovers the account's calendars in the background, right after this. The test side calls nothing outside: there the
   * connection gets one calendar of its own.
   * @throws BadRequestException (the address), NotFoundException (the workspace), ConflictException (it is archived, or
   *   has the most connections)
   */
  create(
    caller: Caller,
    {
      workspaceId,
      provider = "caldav",
      serverUrl: given,
      username,
      password,
      accountEmail,
    }: CreateCalendarConnectionDto,
  ): Promise<Json<CalendarConnectionDto>> {
    const serverUrl = this.checked(given);
    const id = uuid();
    const sealed = this.credentials.seal(caller.tenantId, id, serverUrl, { username, password });
    return this.db.transaction(caller, async (tx) => {
      // Locked, so that connections that are made concurrently are counted.
      const workspace = await tx.findOrThrow(WorkspaceEntity, { id: workspaceId }, { lock: "no key update" });
      if (workspace.status === "archived") throw new ConflictException(ARCHIVED);
      const present = { workspaceId, disconnectedAt: IsNull() };
      if ((await tx.find(CalendarConnectionEntity, present, { limit: MAX_CONNECTIONS })).length === MAX_CONNECTIONS)
        throw new ConflictException(`A workspace has at most ${MAX_CONNECTIONS} calendar connections`);
      tx.changesWorkspace(workspaceId);
      await tx.insert(CalendarConnectionEntity, {
        id,
        workspaceId,
        provider,
        serverUrl,
        accountEmail: accountEmail ?? (isEmail(username) ? username : null),
        credentials: sealed.credentials,
        credentialFingerprint: sealed.fingerprint,
      });
      if (caller.environment === "live") await tx.insert(CalendarDueEntity, { connectionId: id });
      else
        await tx.insert(CalendarEntity, {
          id: uuid(),
          workspaceId,
          connectionId: id,
          url: `${serverUrl}#${id}`,
          name: "Test calendar",
          timezone: workspace.timezone,
          isPrimary: true,
        });
      return (await tx.read(GET_CONNECTION, { id })).created();
    });
  }

  /**
   * Syncs right after a change of the address or the credentials.
   * @throws BadRequestException: the address, or a new server without its credentials
   */
  update(
    caller: Caller,
    id: string,
    { serverUrl: given, username, password, accountEmail }: UpdateCalendarConnectionDto,
  ): Promise<Json<CalendarConnectionDto>> {
    return this.db.transaction(caller, async (tx) => {
      const before = await this.lock(tx, id);
      const workspace = await tx.findOrThrow(WorkspaceEntity, { id: before.workspaceId });
      if (workspace.status === "archived") throw new ConflictException(ARCHIVED);
      const serverUrl = given === undefined ? before.serverUrl : this.checked(given);
      if (username !== undefined && password === undefined)
        throw new BadRequestException("password must be given with username");
      const otherServer = new URL(serverUrl).origin !== new URL(before.serverUrl).origin;
      if (otherServer && (username === undefined || password === undefined))
        throw new BadRequestException(
          "username and password must be given with a serverUrl on another server: stored credentials are not sent there",
        );
      const sealed =
        password === undefined
          ? undefined
          : this.credentials.seal(caller.tenantId, id, serverUrl, {
              username: username ?? this.usernameOf(before),
              password,
            });
      const reconnects = serverUrl !== before.serverUrl || sealed !== undefined;
      await tx.update(
        CalendarConnectionEntity,
        { id },
        {
          serverUrl,
          updatedAt: () => "now()",
          ...(accountEmail !== undefined && { accountEmail }),
          ...(sealed && { credentials: sealed.credentials, credentialFingerprint: sealed.fingerprint }),
          ...(reconnects && { revision: () => "revision + 1", attempts: 0, discoveredAt: null }),
        },
      );
      if (reconnects) await tx.update(CalendarDueEntity, { connectionId: id }, { dueAt: () => "clock_timestamp()" });
      return tx.read(GET_CONNECTION, { id });
    });
  }

  /** Deletes the credentials and what is known of other people's events. Bookings and their events in the calendar stay. */
  disconnect(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      await this.lock(tx, id);
      await tx.delete(CalendarDueEntity, { connectionId: id });
      await tx.update(
        CalendarConnectionEntity,
        { id },
        {
          disconnectedAt: () => "now()",
          updatedAt: () => "now()",
          credentials: null,
          credentialFingerprint: null,
          accountEmail: null,
          lastError: null,
          nextRetryAt: null,
          revision: () => "revision + 1",
        },
      );
      await tx.delete(CalendarWriteEntity, { connectionId: id });
      await tx.query(DELETE_EVENTS_OF_CONNECTION, { connectionId: id });
      await settleAbout(tx, { calendarConnectionId: id }, "channel_error");
      return ok();
    });
  }

  /** @throws BadRequestException: it is among what cannot be opened */
  private usernameOf({ tenantId, id, serverUrl, credentials }: CalendarConnectionEntity): string {
    try {
      return this.credentials.open(tenantId, id, serverUrl, credentials!).username;
    } catch (error) {
      if (!(error instanceof CalendarError)) throw error;
      throw new BadRequestException("username must be given: the stored credentials cannot be opened");
    }
  }

  /** Locks the connection in the same order as a sync does, and waits for what a running sync is writing. */
  private async lock(tx: Tx, id: string): Promise<CalendarConnectionEntity> {
    await tx.findOne(CalendarDueEntity, { connectionId: id }, { lock: "update" });
    const connection = await tx.findOrThrow(
      CalendarConnectionEntity,
      { id, disconnectedAt: IsNull() },
      { lock: "no key update" },
    );
    tx.changesWorkspace(connection.workspaceId);
    return connection;
  }

  /** @throws BadRequestException: the address is not one that may be called */
  private checked(serverUrl: string): string {
    try {
      const url = this.outbound.target(serverUrl);
      if (url.search || url.hash) throw new BadRequestException("serverUrl must not have a query or a fragment");
      return url.href;
    } catch (error) {
      throw error instanceof OutboundError ? new BadRequestException(`serverUrl: ${error.message}`) : error;
    }
  }
}
