import { Body, Controller, Get, Param, Patch, Post, Query } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import { DESK } from "../../platform/caller/scope.js";
import type { Json, Page } from "../../platform/http/json.js";
import { Answers, AnswersPage, Fails } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import {
  BookingDto,
  CreateBookingDto,
  FreeBusyDto,
  FreeBusyQueryDto,
  ListBookingsDto,
  UpdateBookingDto,
} from "./bookings.dto.js";
import { BookingsService } from "./bookings.service.js";

@Controller("api/calendar")
export class BookingsController {
  constructor(private readonly bookings: BookingsService) {}

  /** List bookings, ordered by their start. */
  @Get("bookings")
  @RequireScope("calendar:read")
  @AnswersPage(BookingDto)
  list(@CurrentCaller() caller: Caller, @Query() query: ListBookingsDto): Promise<Json<Page<BookingDto>>> {
    return this.bookings.list(caller, query);
  }

  /**
   * Book a time. It is taken at once and written to the calendar in the background; `syncStatus` shows when that is done.
   * Returns 409 if the time is busy, unless `force` is true.
   */
  @Post("bookings")
  @RequireScope("calendar:write", DESK)
  @Answers(BookingDto, { status: 201 })
  @Fails(409)
  create(@CurrentCaller() caller: Caller, @Body() body: CreateBookingDto): Promise<Json<BookingDto>> {
    return this.bookings.create(caller, body);
  }

  /** Read one booking. */
  @Get("bookings/:id")
  @RequireScope("calendar:read")
  @Answers(BookingDto)
  get(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<BookingDto>> {
    return this.bookings.get(caller, id);
  }

  /** Change a booking. Other fields that were changed in the calendar in the meantime keep those changes. */
  @Patch("bookings/:id")
  @RequireScope("calendar:write", DESK)
  @Answers(BookingDto)
  @Fails(409)
  update(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: UpdateBookingDto,
  ): Promise<Json<BookingDto>> {
    return this.bookings.update(caller, id, body);
  }

  /**
   * Read when calendars are busy. Bookings and other people's events count. The texts of those events are not stored.
   */
  @Get("free-busy")
  @RequireScope("calendar:read")
  @Answers(FreeBusyDto)
  getFreeBusy(@CurrentCaller() caller: Caller, @Query() query: FreeBusyQueryDto): Promise<Json<FreeBusyDto>> {
    return this.bookings.freeBusy(caller, query);
  }
}
