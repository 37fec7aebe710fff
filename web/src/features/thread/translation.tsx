import { useQuery } from "@tanstack/react-query";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { modelQuery } from "../../api/model.js";
import { type Message, parley } from "../../api/parley.js";
import { mayWrite } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import { useTranslating } from "./translating.js";

const LINK = "rounded px-1 text-xs text-muted hover:text-text";

/** What a contact wrote in the member's language, below the message, which stays. By hand, or for all that is seen of the conversation. */
export default function Translation({ message: { id, conversationId } }: { message: Message }): ReactNode {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const me = useMember();
  const box = useRef<HTMLDivElement>(null);
  const [isAsked, setAsked] = useState(false);
  const isOn = useTranslating(me.id, conversationId);
  const { data: hasModel = false } = useQuery({ ...modelQuery(conversationId), enabled: mayWrite(me) });
  // What nobody scrolls to costs nothing.
  const isSeen = useSeen(box, isOn && hasModel);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["translation", id, language],
    queryFn: ({ signal }) => parley.conversations.translateMessage(id, { language }, { signal }).then(),
    enabled: hasModel && (isAsked || (isOn && isSeen)),
    staleTime: Infinity,
    retry: false,
  });
  if (!hasModel) return null;
  if (!isAsked && !isOn)
    return (
      <button type="button" className={LINK} onClick={() => setAsked(true)}>
        {t("model.translate")}
      </button>
    );
  if (data?.text)
    return <Translated text={data.text} language={language} onHide={isOn ? undefined : () => setAsked(false)} />;
  const why = error ? failureOf(error).sentence : data?.reason && t(`model.reasons.${data.reason}`);
  // Nobody asked about this one alone.
  if (data?.reason === "same_language" && !isAsked) return null;
  return (
    <div ref={box} role="status" className="flex flex-wrap items-center gap-1 px-1 text-xs text-muted">
      {why && !isFetching ? (
        <>
          {why}
          <button type="button" className={LINK} onClick={() => void refetch()}>
            {t("common.retry")}
          </button>
        </>
      ) : (
        t("model.translating")
      )}
    </div>
  );
}

function Translated({
  text,
  language,
  onHide,
}: {
  text: string;
  language: string;
  onHide: (() => void) | undefined;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <div role="group" aria-label={t("model.translation")} className="max-w-full border-s-2 border-accent ps-3">
      <p className="text-xs text-muted">{t("model.translation")}</p>
      <p lang={language} dir="auto" className="break-words whitespace-pre-wrap">
        {text}
      </p>
      {onHide && (
        <button type="button" className={LINK} onClick={onHide}>
          {t("model.hideTranslation")}
        </button>
      )}
    </div>
  );
}

/** Whether the element has been on the screen since this is wanted. */
function useSeen(box: RefObject<HTMLElement | null>, isWanted: boolean): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (!isWanted || !box.current) return undefined;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setSeen(true));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [box, isWanted]);
  return isSeen;
}
