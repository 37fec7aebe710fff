import { useParams } from "@tanstack/react-router";

/** The view and the conversation that the address names. */
export const useInboxParams = (): { view?: string; conversationId?: string } => useParams({ strict: false });
