import { QualityEntityType, type QualityWindow } from "@parley/sdk/enums";
import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Schemas } from "../../api/parley.js";
import { Button } from "../../ui/button.js";
import { Select } from "../../ui/field.js";
import { Paged } from "../../ui/paged.js";
import { percent } from "../knowledge/percent.js";
import { Part } from "./part.js";
import { scoresQuery } from "./queries.js";

/** How often agents, entries, channels and tools came out well, and how far that can be trusted. */
export function Scores({ workspaceId, window }: { workspaceId: string; window: QualityWindow }): ReactNode {
  const { t } = useTranslation();
  const [type, setType] = useState<Schemas["QualityEntityType"] | "">("");
  const query = useInfiniteQuery(scoresQuery(workspaceId, window, type));
  return (
    <Part id="scores" title={t("quality.scores.title")}>
      <Select
        label={t("logs.what")}
        value={type}
        onChange={({ target }) => setType(target.value as Schemas["QualityEntityType"])}
        className="self-start"
      >
        <option value="">{t("logs.everything")}</option>
        {QualityEntityType.map((one) => (
          <option key={one} value={one}>
            {t(`quality.entity.${one}`)}
          </option>
        ))}
      </Select>
      <Paged
        keyOf={({ id }) => id}
        query={query}
        label={t("quality.scores.title")}
        empty={
          <div className="flex flex-wrap items-center gap-3 text-muted">
            {t("quality.scores.empty")}
            {type !== "" && (
              <Button small onClick={() => setType("")}>
                {t("list.clearFilters")}
              </Button>
            )}
          </div>
        }
        row={(score) => <Score {...score} />}
      />
    </Part>
  );
}

function Score({
  name,
  entityId,
  entityType,
  metric,
  score,
  low,
  high,
  sampleSize,
}: Schemas["QualityScore"]): ReactNode {
  const { t, i18n } = useTranslation();
  const language = i18n.language;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5 p-3">
      <div className="min-w-40 flex-1">
        <p dir="auto" className="font-medium break-words">
          {name ?? entityId}
        </p>
        <p className="text-sm text-muted">
          {t(`quality.entity.${entityType}`)}, {t(`quality.metric.${metric}`)}
        </p>
      </div>
      <div className="w-48 max-w-full text-sm tabular-nums">
        <p className="flex justify-between gap-2">
          <span className="font-semibold">{percent(score, language)}</span>
          <span className="text-muted">{t("quality.sample", { count: sampleSize })}</span>
        </p>
        <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" className="my-1 h-1.5 w-full">
          <rect width="100" height="6" className="fill-hover" />
          <rect x={low * 100} width={(high - low) * 100} height="6" className="fill-accent opacity-40" />
          <rect x={Math.min(score * 100, 99)} width="1" height="6" className="fill-text" />
        </svg>
        <p className="text-xs text-muted">
          {t("quality.interval", { low: percent(low, language), high: percent(high, language) })}
        </p>
      </div>
    </div>
  );
}
