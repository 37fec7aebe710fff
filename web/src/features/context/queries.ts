import { queryOptions } from "@tanstack/react-query";
import { QUIET_MS } from "../../api/paged.js";
import { overviewOf } from "../../api/overview.js";
import type { Conversation } from "../../api/parley.js";

/** The cases about a conversation. */
export const casesHereQuery = ({ id }: Conversation) =>
  queryOptions({
    queryKey: ["cases", "about", id],
    queryFn: async () => (await overviewOf(id, "cases")).data,
    staleTime: QUIET_MS,
  });

export const casesOfContactQuery = ({ id, contactId }: Conversation) =>
  queryOptions({
    queryKey: ["cases", "of-contact", contactId],
    queryFn: async () => (await overviewOf(id, "contactCases")).data,
    staleTime: QUIET_MS,
  });

/** The contact's bookings, those to come and those of the last week. */
export const bookingsOfContactQuery = ({ id, contactId }: Conversation) =>
  queryOptions({
    queryKey: ["bookings", "of-contact", contactId],
    queryFn: async () => (await overviewOf(id, "bookings")).data,
    staleTime: QUIET_MS,
  });
