import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Conversation } from "../../api/parley.js";
import { loadPageTexts } from "../../i18n/i18n.js";
import { Failed, Skeleton } from "../../ui/states.js";

/** The parts of a conversation and of the pane beside it that have scripts of their own. */
const PARTS = {
  pane: () => import("./pane.js"),
  verification: () => import("./verification.js"),
  cases: () => import("./cases.js"),
  bookings: () => import("./bookings.js"),
  activity: () => import("./activity.js"),
  approvals: () => import("../actions/in-conversation.js"),
};

/** Loads a part when it is shown for the first time, with its texts. */
export function Loaded({ part, conversation }: { part: keyof typeof PARTS; conversation: Conversation }): ReactNode {
  const { data, error, refetch } = useQuery({
    queryKey: ["context-part", part],
    queryFn: async () => (await Promise.all([PARTS[part](), loadPageTexts()]))[0],
    structuralSharing: false,
  });
  if (!data) return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Skeleton lines={1} />;
  return <data.default conversation={conversation} />;
}
