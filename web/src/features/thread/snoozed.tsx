import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Conversation } from "../../api/parley.js";
import { mayWrite } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import { exact, soon, useMinute } from "../../ui/time.js";
import { stepsOf } from "../steps/steps.js";
import { useSteps } from "../steps/use-steps.js";

/** Until when it is snoozed, and the way to end that now. */
export default function Snoozed({ conversation, until }: { conversation: Conversation; until: string }): ReactNode {
  const { t } = useTranslation();
  const me = useMember();
  const { act } = useSteps(conversation);
  useMinute();
  return (
    <p className="flex flex-wrap items-center gap-x-3 border-b border-line bg-canvas px-4 py-1 text-sm text-muted">
      <time dateTime={until} title={exact(until)}>
        {t("thread.snoozed", { time: soon(until) })}
      </time>
      {mayWrite(me) && (
        <button
          type="button"
          className="rounded font-medium text-accent hover:underline"
          onClick={() => act(stepsOf(conversation, me.id).reopen())}
        >
          {t("thread.action.wake")}
        </button>
      )}
    </p>
  );
}
