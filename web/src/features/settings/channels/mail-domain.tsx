import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Schemas } from "../../../api/parley.js";
import { Badge } from "../../../ui/badge.js";
import { Copyable } from "../../../ui/copyable.js";
import { Part } from "../../../ui/detail-page.js";
import type { Channel } from "./queries.js";

const CHECKS = { spf: "SPF", dkim: "DKIM", dmarc: "DMARC" } as const;
const LOOKS = { pass: "ok", fail: "danger", unknown: "warn" } as const;

/** Whether receivers believe the mails of a channel, as its last test found, and what to publish so that they do. */
export function MailDomainChecks({ channel: { lastTest } }: { channel: Channel }): ReactNode {
  const { t } = useTranslation();
  const found = lastTest?.mailDomain;
  if (!found) return null;
  return (
    <Part title={t("mailDomain.title", { domain: found.domain })}>
      <p className="text-muted">{t("mailDomain.explain")}</p>
      <ul className="flex flex-col divide-y divide-line rounded-lg border border-line">
        {(["spf", "dkim", "dmarc"] as const).map((check) => (
          <Check key={check} name={CHECKS[check]} found={found[check]} />
        ))}
      </ul>
    </Part>
  );
}

function Check({ name, found: { result, message, record } }: { name: string; found: Schemas["MailCheck"] }): ReactNode {
  const { t } = useTranslation();
  return (
    <li aria-label={name} className="flex flex-col gap-2 p-3">
      <div className="flex items-center gap-2">
        <h3 className="font-medium">{name}</h3>
        <Badge look={LOOKS[result]}>{t(`mailDomain.result.${result}`)}</Badge>
      </div>
      <p className="wrap-anywhere">{message}</p>
      {record && (
        <>
          <Copyable label={t("mailDomain.recordName", { check: name, type: record.type })} value={record.name} />
          <Copyable label={t("mailDomain.recordValue", { check: name })} value={record.value} />
        </>
      )}
    </li>
  );
}
