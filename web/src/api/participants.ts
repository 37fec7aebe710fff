import { queryOptions } from "@tanstack/react-query";
import { type Conversation, parley, type Schemas } from "./parley.js";

export type Participant = Schemas["Participant"];

/** Whether mails to several people can leave from it. */
export const isMailed = ({ channelType }: Conversation): boolean =>
  channelType === "email" || channelType === "contact_form";

/** Who takes part besides the contact. */
export const participantsQuery = (conversation: Conversation) =>
  queryOptions({
    queryKey: ["participants", conversation.id],
    queryFn: () => parley.conversations.listParticipants(conversation.id).then(),
    enabled: isMailed(conversation),
  });

/** The address that a reply goes to, as far as the page knows it: the last one that the contact wrote from. */
export function addressOf(
  { metadata }: Conversation,
  contact: { emails: readonly { value: string }[] } | null | undefined,
): string | undefined {
  const { email } = metadata as { email?: unknown };
  const known = contact?.emails.map(({ value }) => value) ?? [];
  return known.find((value) => value === email) ?? known[0];
}
