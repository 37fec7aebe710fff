import { ShieldAlert, ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Schemas } from "../../api/parley.js";
import { Clock } from "../../ui/time.js";

const BAD = /failed|locked|blocked|denied|expired|not_configured/;

/** A step of the contact's verification, as one line between the messages. */
export function IdentityEventLine({ event }: { event: Schemas["IdentityEvent"] }): ReactNode {
  const { t } = useTranslation();
  const bad = BAD.test(event.eventType);
  const Icon = bad ? ShieldAlert : ShieldCheck;
  return (
    <p className={`flex items-center justify-center gap-1.5 text-xs ${bad ? "text-warn" : "text-muted"}`}>
      <Icon size={14} aria-hidden="true" />
      {t(`identityEvent.${event.eventType}`)}
      <Clock at={event.occurredAt} />
    </p>
  );
}
