import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from "@nestjs/common";
import { AdminsOnly, CurrentCaller, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json, Ok } from "../../platform/http/json.js";
import { Tag } from "../../platform/http/openapi/tags.js";
import { OperationGroup } from "../../platform/http/operation-id.js";
import { Answers, AnswersList, AnswersOk, Fails } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import {
  CalendarConnectionDto,
  CalendarDto,
  CreateCalendarConnectionDto,
  ListCalendarConnectionsDto,
  UpdateCalendarConnectionDto,
} from "./connections.dto.js";
import { ConnectionsService } from "./connections.service.js";

@OperationGroup("calendarConnections")
@Tag("Calendar", ["calendarConnections", "bookings"], {
  order: 150,
  description: "Connected calendars, bookings in them, and the times that are free.",
})
@Controller("api/calendar/connections")
export class ConnectionsController {
  constructor(private readonly connections: ConnectionsService) {}

  /** List the connected calendar accounts, oldest first. */
  @Get()
  @RequireScope("calendar:read")
  @AnswersList(CalendarConnectionDto)
  list(
    @CurrentCaller() caller: Caller,
    @Query() query: ListCalendarConnectionsDto,
  ): Promise<Json<CalendarConnectionDto[]>> {
    return this.connections.list(caller, query);
  }

  /**
   * Connect an account on a CalDAV server. Its calendars are discovered in the background, right after this;
   * `lastSyncedAt` or `lastError` shows the result. The test side calls no server. A workspace has at most 50 connections: 409.
   */
  @Post()
  @AdminsOnly()
  @Answers(CalendarConnectionDto, { status: 201 })
  @Fails(409)
  create(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateCalendarConnectionDto,
  ): Promise<Json<CalendarConnectionDto>> {
    return this.connections.create(caller, body);
  }

  /** Read one connection. Its credentials are never shown. */
  @Get(":id")
  @RequireScope("calendar:read")
  @Answers(CalendarConnectionDto)
  get(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<CalendarConnectionDto>> {
    return this.connections.get(caller, id);
  }

  /** Change a connection, such as its password or address. It is tried right away, even if it had expired. */
  @Patch(":id")
  @RequireScope("calendar:write")
  @Answers(CalendarConnectionDto)
  update(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: UpdateCalendarConnectionDto,
  ): Promise<Json<CalendarConnectionDto>> {
    return this.connections.update(caller, id, body);
  }

  /** Disconnect an account. Its credentials are deleted. Bookings and their events in the calendar stay, but are no longer synced. */
  @Delete(":id")
  @RequireScope("calendar:write")
  @AnswersOk("Disconnected")
  delete(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.connections.disconnect(caller, id);
  }

  /** List the calendars of an account, the primary one first. */
  @Get(":id/calendars")
  @RequireScope("calendar:read")
  @AnswersList(CalendarDto)
  listCalendars(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<CalendarDto[]>> {
    return this.connections.calendars(caller, id);
  }
}
