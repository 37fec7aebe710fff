import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { pagedQuery, QUIET_MS } from "../../api/paged.js";
import { parley, type Schemas } from "../../api/parley.js";

export type Booking = Schemas["Booking"];
type BookingFilter = NonNullable<Parameters<typeof parley.bookings.list>[0]>;

export const bookingsQuery = (filter: BookingFilter, limit?: number) =>
  pagedQuery<Booking>(
    ["bookings", filter, limit ?? "all"],
    (page, options) => parley.bookings.list({ ...page, ...filter }, options),
    { limit, staleTime: QUIET_MS },
  );

export const connectionsQuery = (workspaceId?: string) =>
  queryOptions({
    queryKey: ["calendar-connections", workspaceId ?? "all"],
    queryFn: async ({ signal }) =>
      await parley.calendarConnections.list({ ...(workspaceId !== undefined && { workspaceId }) }, { signal }),
    staleTime: QUIET_MS,
  });

/** The calendars of a workspace that take bookings, the primary ones first. */
export const calendarsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["calendars", workspaceId],
    queryFn: async ({ signal }) => {
      const connections = await parley.calendarConnections.list({ workspaceId }, { signal });
      const calendars = await Promise.all(
        connections.map(({ id }) => parley.calendarConnections.listCalendars(id, { signal })),
      );
      return calendars
        .flat()
        .filter(({ writable, available }) => writable && available)
        .sort((one, other) => Number(other.primary) - Number(one.primary));
    },
    staleTime: QUIET_MS,
  });

export const bookingsChanged = (client: QueryClient): void => void client.invalidateQueries({ queryKey: ["bookings"] });
