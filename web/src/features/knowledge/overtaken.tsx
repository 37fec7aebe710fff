import { useQuery } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { membersQuery } from "../../api/queries.js";
import { exact } from "../../ui/time.js";
import { conditionInWords } from "./condition.js";
import { Difference } from "./difference.js";
import type { Entry, Kind } from "./kinds.js";
import { versionsQuery } from "./queries.js";

/** What a form can change of an entry, as texts. */
function textsOf(entry: Entry, t: TFunction): [label: string, text: string][] {
  const until = entry.validUntil === null ? "" : exact(entry.validUntil);
  if ("question" in entry)
    return [
      [t("knowledge.heading"), entry.question],
      [t("knowledge.text"), entry.answer],
      [t("entries.alternate"), entry.alternateQuestions.join("\n")],
      [t("entries.labels"), entry.labels.join(", ")],
      [t("entries.validUntil"), until],
    ];
  const { conditions, requiredAssuranceLevel: level } = entry;
  return [
    [t("policies.heading"), entry.title],
    [t("policies.text"), entry.rule],
    [t("policy.effect"), t(`policy.effects.${entry.effect}`)],
    [t("policy.tools"), entry.tools.join(", ")],
    [t("policy.conditions"), conditions ? conditionInWords(conditions, t) : ""],
    [t("policy.level"), level === null ? "" : t(`policy.levels.${level}`)],
    [t("policy.priority"), String(entry.priority)],
    [t("policy.category"), entry.category ?? ""],
    [t("entries.validUntil"), until],
  ];
}

/** Says who else has edited the entry since it was opened, and what they changed. */
export function Overtaken<E extends Entry>({
  kind,
  before,
  now,
  hint,
}: {
  kind: Kind<E>;
  before: E;
  now: E;
  /** What that means for what the member is about to do. */
  hint: string;
}): ReactNode {
  const { t } = useTranslation();
  const { data: members } = useQuery(membersQuery());
  const { data: versions } = useQuery(versionsQuery(kind, now.id));
  const changedBy = versions?.find(({ version: { version } }) => version === now.version)?.version.changedBy;
  const was = new Map(textsOf(before, t));
  const changed = textsOf(now, t).filter(([label, text]) => was.get(label) !== text);
  return (
    <section className="flex flex-col gap-3 rounded-md border border-line bg-canvas p-3">
      <p role="alert" className="flex items-start gap-2 font-medium text-warn">
        <TriangleAlert size={16} aria-hidden="true" className="mt-0.5 shrink-0" />
        {t("entries.overtaken", { name: members?.get(changedBy ?? "")?.name ?? t("common.somebody") })}
      </p>
      {changed.map(([label, text]) => (
        <div key={label}>
          <h3 className="text-sm font-semibold text-muted">{label}</h3>
          <Difference before={was.get(label)!} after={text} />
        </div>
      ))}
      <p className="text-sm text-muted">{hint}</p>
    </section>
  );
}
