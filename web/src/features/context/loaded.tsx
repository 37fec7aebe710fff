import { useQuery } from "@tanstack/react-query";
import type { ComponentType, ReactNode } from "react";
import type { Conversation } from "../../api/parley.js";
import { loadPageTexts } from "../../i18n/i18n.js";
import { Failed, Skeleton } from "../../ui/states.js";

interface Props {
  /** What the part is called in the cache. */
  name: string;
  load: () => Promise<{ default: ComponentType<{ conversation: Conversation }> }>;
  conversation: Conversation;
}

/** Loads a part of a conversation, or of the pane beside it, when it is shown for the first time, with its texts. */
export function Loaded({ name, load, conversation }: Props): ReactNode {
  const { data, error, refetch } = useQuery({
    queryKey: ["context-part", name],
    queryFn: async () => (await Promise.all([load(), loadPageTexts()]))[0],
    structuralSharing: false,
  });
  if (!data) return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Skeleton lines={1} />;
  return <data.default conversation={conversation} />;
}
