import { useParams } from "@tanstack/react-router";
import type { View } from "../../api/queries.js";

/** The view and the conversation that the address names. */
export const useInboxPlace = (): { view?: View; conversationId?: string } => useParams({ strict: false });
