import { BadRequestException, ConflictException, Injectable } from "@nestjs/common";
import { isEmail } from "class-validator";
import { v7 as uuid } from "uuid";
import { settleAbout } from "../../conversations/attention/raise.js";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { inReach } from "../../platform/database/statement.js";
import type { Tx } from "../../platform/database/transaction.js";
import { ARCHIVED, notFound } from "../../platform/http/errors.js";
import { type Json, type Ok, ok } from "../../platform/http/json.js";
import { OutboundClient, OutboundError } from "../../platform/outbound/outbound.client.js";
import { WorkspaceEntity } from "../../workspaces/workspace.entity.js";
import { CONNECTED, GET_CONNECTION, LIST_CALENDARS, LIST_CONNECTIONS } from "./connections.queries.js";
import { CalendarConnectionEntity, CalendarEntity } from "../calendar.entity.js";
import type {
  CalendarConnectionDto,
  CalendarDto,
  CreateCalendarConnectionDto,
  ListCalendarConnectionsDto,
  UpdateCalendarConnectionDto,
} from "./connections.dto.js";
import { CalendarCredentials } from "../providers/calendar-credentials.js";

interface Held {
  workspaceId: string;
  serverUrl: string;
  credentials: Buffer;
  archived: boolean;
}

@Injectable()
export class ConnectionsService {
  constructor(
    private readonly db: Database,
    private readonly vault: CalendarCredentials,
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
   * Its calendars are looked for right afterwards, in the background. On the test side nothing outside is called: it has one calendar of its own.
   * @throws BadRequestException (the address), NotFoundException (the workspace), ConflictException (archived)
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
    const sealed = this.vault.seal(caller.tenantId, id, serverUrl, { username, password });
    return this.db.transaction(caller, async (tx) => {
      const workspace = await tx.findOrThrow(WorkspaceEntity, { id: workspaceId });
      if (workspace.status === "archived") throw new ConflictException(ARCHIVED);
      tx.within(workspaceId);
      await tx.insert(CalendarConnectionEntity, {
        id,
        workspaceId,
        provider,
        serverUrl,
        accountEmail: accountEmail ?? (isEmail(username) ? username : null),
        credentials: sealed.credentials,
        credentialFingerprint: sealed.fingerprint,
      });
      if (caller.environment === "live")
        await tx.query("insert into calendar_due (tenant_id, connection_id) values (:tenant, :id)", { id });
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

  /** What is set anew is tried at once. @throws BadRequestException: the address, or credentials for one server that would go to another */
  update(
    caller: Caller,
    id: string,
    { serverUrl: given, username, password, accountEmail }: UpdateCalendarConnectionDto,
  ): Promise<Json<CalendarConnectionDto>> {
    return this.db.transaction(caller, async (tx) => {
      const held = await this.hold(tx, id);
      if (held.archived) throw new ConflictException(ARCHIVED);
      const serverUrl = given === undefined ? held.serverUrl : this.checked(given);
      if (username !== undefined && password === undefined)
        throw new BadRequestException("password must be given with username");
      const moves = new URL(serverUrl).origin !== new URL(held.serverUrl).origin;
      if (moves && (username === undefined || password === undefined))
        throw new BadRequestException(
          "username and password must be given with a serverUrl on another server: what is stored is not sent there",
        );
      const another = serverUrl !== held.serverUrl || password !== undefined;
      const sealed =
        password === undefined
          ? undefined
          : this.vault.seal(caller.tenantId, id, serverUrl, {
              username: username ?? this.vault.open(caller.tenantId, id, held.serverUrl, held.credentials).username,
              password,
            });
      await tx.query(
        `update calendar_connection c set server_url = :serverUrl, account_email = case when :named then :accountEmail else c.account_email end,
          credentials = coalesce(:credentials, c.credentials), credential_fingerprint = coalesce(:fingerprint, c.credential_fingerprint), updated_at = now(),
          revision = c.revision + :another::boolean::int, attempts = case when :another then 0 else c.attempts end, discovered_at = case when :another then null else c.discovered_at end
        where c.tenant_id = :tenant and c.id = :id`,
        {
          id,
          serverUrl,
          named: accountEmail !== undefined,
          accountEmail,
          another,
          credentials: sealed?.credentials,
          fingerprint: sealed?.fingerprint,
        },
      );
      if (another)
        await tx.query(
          `update calendar_due set due_at = clock_timestamp() where tenant_id = :tenant and connection_id = :id`,
          { id },
        );
      return tx.read(GET_CONNECTION, { id });
    });
  }

  /** The credentials and what is known of others' events go at once; bookings stay, and the events that they have in the calendar. */
  disconnect(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      await this.hold(tx, id);
      await tx.query("delete from calendar_due where tenant_id = :tenant and connection_id = :id", { id });
      await tx.query(
        `update calendar_connection set disconnected_at = now(), updated_at = now(), credentials = null, credential_fingerprint = null, account_email = null, last_error = null, next_retry_at = null, revision = revision + 1
        where tenant_id = :tenant and id = :id`,
        { id },
      );
      await tx.query("delete from calendar_write where tenant_id = :tenant and connection_id = :id", { id });
      await tx.query(
        "delete from calendar_event e using calendar k where e.tenant_id = :tenant and k.tenant_id = :tenant and k.id = e.calendar_id and k.connection_id = :id",
        { id },
      );
      await settleAbout(tx, { calendarConnectionId: id }, "channel_error");
      return ok();
    });
  }

  /** Nobody else changes it until the transaction ends; a pass under way is waited for at what it is writing. The order is a pass's. */
  private async hold(tx: Tx, id: string): Promise<Held> {
    await tx.query("select 1 from calendar_due where tenant_id = :tenant and connection_id = :id for update", { id });
    const [row] = await tx.query<Held>(
      `select c.workspace_id as "workspaceId", c.server_url as "serverUrl", c.credentials, exists (select from workspace w where w.tenant_id = c.tenant_id and w.id = c.workspace_id and w.status = 'archived') as archived
      from calendar_connection c where c.tenant_id = :tenant and c.id = :id and ${CONNECTED} and ${inReach("c")} for no key update of c`,
      { id },
    );
    if (!row) throw notFound();
    tx.within(row.workspaceId);
    return row;
  }

  /** @throws BadRequestException: the address would not be called */
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
