import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Languages, ListTree, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { modelQuery } from "../../api/model.js";
import { type Conversation, parley, type Schemas } from "../../api/parley.js";
import { loadEarlier, type Thread } from "../../api/queries.js";
import { useOffers } from "../../keyboard/offers.js";
import { mayWrite } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import { Button, IconButton } from "../../ui/button.js";
import { Scrollable } from "../../ui/scrollable.js";
import { toast } from "../../ui/toasts.js";
import { setTranslating, useTranslating } from "./translating.js";

/** So many frames it takes at most until messages that were loaded are on the page. */
const FRAMES = 20;

/** What a language model does for whoever reads a conversation: a summary that quotes, and translations of what the contact writes. */
export default function Reading({ conversation: { id } }: { conversation: Conversation }): ReactNode {
  const { t, i18n } = useTranslation();
  const me = useMember();
  const isTranslating = useTranslating(me.id, id);
  const { data: hasModel } = useQuery({ ...modelQuery(id), enabled: mayWrite(me) });
  const summary = useMutation({
    mutationFn: () => parley.conversations.summariseMessages(id, { language: i18n.language }),
    onSuccess: ({ reason }) => {
      if (reason) toast(t(`model.reasons.${reason}`), { failed: true });
    },
    onError: (error) => toast(failureOf(error).sentence, { failed: true }),
  });
  const translate = (): void => setTranslating(me.id, id, !isTranslating);
  const translateLabel = t(isTranslating ? "model.translateNot" : "model.translateAll");
  useOffers(
    hasModel
      ? [
          { id: "summarise", group: "conversation", label: () => t("model.summarise"), run: () => summary.mutate() },
          { id: "translate", group: "conversation", label: () => translateLabel, run: translate },
        ]
      : [],
  );
  if (!hasModel) return null;
  return (
    <>
      <div className="ms-auto flex">
        <Button small look="quiet" disabled={summary.isPending} onClick={() => summary.mutate()}>
          <ListTree size={14} aria-hidden="true" />
          {t(summary.isPending ? "model.writing" : "model.summarise")}
        </Button>
        <Button small look="quiet" onClick={translate}>
          <Languages size={14} aria-hidden="true" className={isTranslating ? "text-accent" : ""} />
          {translateLabel}
        </Button>
      </div>
      {summary.data?.sentences && (
        <Sentences conversationId={id} sentences={summary.data.sentences} onClose={() => summary.reset()} />
      )}
    </>
  );
}

/** Each with its quote, which leads to the message. */
function Sentences({
  conversationId,
  sentences,
  onClose,
}: {
  conversationId: string;
  sentences: readonly Schemas["SummarySentence"][];
  onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [isFinding, setFinding] = useState(false);
  const go = async (messageId: string): Promise<void> => {
    setFinding(true);
    try {
      if (show(messageId)) return;
      while (client.getQueryData<Thread>(["thread", conversationId])?.earlier !== undefined) {
        await loadEarlier(client, conversationId);
        // What came is on the page a few frames later.
        for (let frame = 0; frame < FRAMES; frame++) {
          await new Promise(requestAnimationFrame);
          if (show(messageId)) return;
        }
      }
    } catch (error) {
      toast(failureOf(error).sentence, { failed: true });
    } finally {
      setFinding(false);
    }
  };
  return (
    <section
      aria-label={t("model.summary")}
      className="flex basis-full items-start gap-2 border-t border-line px-4 py-2 text-sm"
    >
      <Scrollable className="max-h-40 min-w-0 flex-1 overflow-y-auto">
        <p className="text-xs text-muted">{t("model.summaryHint")}</p>
        {sentences.length === 0 && <p>{t("model.nothingProven")}</p>}
        <ul className="flex flex-col gap-1">
          {sentences.map(({ text, messageId, quote }, n) => (
            <li key={n} dir="auto">
              {text}{" "}
              <button
                type="button"
                disabled={isFinding}
                title={t("model.toMessage")}
                onClick={() => void go(messageId)}
                className="text-start text-muted underline decoration-dotted wrap-anywhere hover:text-text"
              >
                <q>{quote}</q>
              </button>
            </li>
          ))}
        </ul>
      </Scrollable>
      <IconButton label={t("common.close")} onClick={onClose}>
        <X size={14} />
      </IconButton>
    </section>
  );
}

/** Whether the message is on the page. Then it has the focus. */
function show(messageId: string): boolean {
  const element = document.getElementById(messageId);
  if (!element) return false;
  element.tabIndex = -1;
  element.scrollIntoView({ block: "center" });
  element.focus({ preventScroll: true });
  return true;
}
