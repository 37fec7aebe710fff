import { HandOverReason, ReportHandler, Resolution } from "@parley/sdk/enums";
import { useTranslation } from "react-i18next";

/** Groups without a name of their own. */
const VALUES = [...Resolution, ...ReportHandler, ...HandOverReason, "none"] as const;

/** What a group of a report is called. */
export function useGroupName(): (group: string, name: string | null) => string {
  const { t } = useTranslation();
  return (group, name) => {
    const value = VALUES.find((one) => one === group);
    return name ?? (value ? t(`reports.value.${value}`) : group);
  };
}
