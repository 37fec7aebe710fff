import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Circle, CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { apiKeysQuery } from "../../api/api-keys.js";
import { parley } from "../../api/parley.js";
import { countsQuery, membersQuery, workspacesQuery } from "../../api/queries.js";
import { channelsQuery } from "../settings/channels/queries.js";
import { workspaceQuery } from "../settings/workspaces/queries.js";

const STEPS = ["channel", "knowledge", "assistant", "colleagues", "key"] as const;

/** What an owner or admin sets up before the first conversation comes in, and what of it is done. Later, `children`. */
export default function FirstSteps({ children }: { children: ReactNode }): ReactNode {
  const { t } = useTranslation();
  const { data: workspaces } = useQuery(workspacesQuery());
  const id = workspaces?.[0]?.id ?? "";
  const enabled = id !== "";
  const { data: workspace } = useQuery({ ...workspaceQuery(id), enabled });
  const { data: members } = useQuery(membersQuery());
  const { data: channels } = useQuery({ ...channelsQuery(id), enabled });
  const { data: keys } = useQuery(apiKeysQuery());
  const { data: counts } = useQuery(countsQuery());
  const { data: isTaught } = useQuery({
    queryKey: ["kb-entries", "any", id],
    queryFn: async ({ signal }) =>
      (await parley.kbEntries.list(id, { status: "approved", limit: 1 }, { signal })).data.length > 0,
    enabled,
  });
  if (!workspace || !members || !channels || !keys || !counts || isTaught === undefined) return null;
  const isDone = {
    // Each workspace begins with an API and a web chat, where nobody can write before somebody has set them up.
    channel: channels.some(
      ({ type, status, settings }) =>
        status === "active" && type !== "api" && (type !== "webchat" || Object.keys(settings).length > 0),
    ),
    knowledge: isTaught,
    assistant: workspace.assistantEnabled,
    colleagues: members.size > 1,
    // The one that came with the organisation counts once a program has used it.
    key: keys.some(({ createdBy, lastUsedAt }) => createdBy !== null || lastUsedAt !== null),
  };
  const left = STEPS.filter((step) => !isDone[step]).length;
  if (left === 0 || counts.snoozed.count + counts.resolved.count > 0) return children;
  const to = {
    channel: "/settings/channels/new",
    knowledge: "/knowledge",
    assistant: `/settings/workspaces/${id}/assistant`,
    colleagues: "/settings/members",
    key: "/settings/api-access",
  };
  return (
    <section aria-labelledby="first-steps" className="w-full max-w-md text-start">
      <h2 id="first-steps" className="text-lg font-semibold text-text">
        {t("firstSteps.title")}
      </h2>
      <p className="mb-4 text-pretty">{t("firstSteps.explain")}</p>
      <ol className="flex flex-col divide-y divide-line rounded-lg border border-line">
        {STEPS.map((step) => (
          <li key={step}>
            <Link to={to[step]} className="flex gap-3 p-3 hover:bg-hover">
              {isDone[step] ? (
                <CircleCheck size={18} className="mt-0.5 shrink-0 text-accent" aria-label={t("firstSteps.done")} />
              ) : (
                <Circle size={18} className="mt-0.5 shrink-0" aria-label={t("firstSteps.open")} />
              )}
              <span className="min-w-0">
                <span className={`block font-medium ${isDone[step] ? "text-muted" : "text-text"}`}>
                  {t(`firstSteps.step.${step}`)}
                </span>
                {!isDone[step] && <span className="block text-sm text-pretty">{t(`firstSteps.why.${step}`)}</span>}
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </section>
  );
}
