import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowDown } from "lucide-react";
import {
  Fragment,
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import type { Conversation, Message, Schemas } from "../../api/parley.js";
import { identityEventsQuery, loadEarlier, threadQuery } from "../../api/queries.js";
import { mayWrite } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import { Button } from "../../ui/button.js";
import { Scrollable } from "../../ui/scrollable.js";
import { Failed, Skeleton } from "../../ui/states.js";
import { dayOf } from "../../ui/time.js";
import { IdentityEventLine } from "./identity-event.js";
import { MessageBubble, useAuthors } from "./message.js";
import { useOutgoing } from "./outgoing.js";
import { isMailed } from "../../api/participants.js";

type Entry = { at: string; key: string } & (
  | { message: Message }
  | { event: Schemas["IdentityEvent"] }
  | { waiting: Message }
);

/** Closer to the end than this counts as being there. */
const END_PX = 60;

/** The end of the messages, for who writes the next one. */
export interface End {
  /** Whether something came there while the member read further up. */
  isUnseen: boolean;
  show: () => void;
}

/** Messages, notes and identity events in the order of time. It stays at the end, unless the member reads further up. */
export function Timeline({ conversation, end }: { conversation: Conversation; end: Ref<End> }): ReactNode {
  const { t } = useTranslation();
  const { id } = conversation;
  const client = useQueryClient();
  const { data: thread, error, refetch } = useQuery(threadQuery(client, id));
  const { data: events } = useQuery(identityEventsQuery(id));
  const outgoing = useOutgoing(id);
  const mayForward = mayWrite(useMember()) && isMailed(conversation);
  const authorOf = useAuthors(conversation);
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const [isBelow, setBelow] = useState(false);
  const heightBefore = useRef(0);
  const lastBefore = useRef<string>(undefined);
  const earlier = useMutation({
    mutationFn: async () => {
      heightBefore.current = box.current?.scrollHeight ?? 0;
      await loadEarlier(client, id);
    },
    // What comes next is not what this was for.
    onError: () => (heightBefore.current = 0),
  });

  const messages = thread?.messages ?? [];
  const first = messages[0]?.createdAt;
  const entries: Entry[] = [
    ...messages.map((message) => ({ at: message.createdAt, key: message.id, message })),
    ...(events?.events ?? [])
      .filter(
        ({ occurredAt }) => thread && (thread.earlier === undefined || first === undefined || occurredAt >= first),
      )
      .map((event) => ({ at: event.occurredAt, key: event.id, event })),
  ].sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
  // The event can arrive before the answer.
  const sent = new Set(messages.flatMap(({ id: messageId, clientMessageId }) => [messageId, clientMessageId]));
  for (const message of outgoing)
    if (!sent.has(message.id)) entries.push({ at: message.createdAt, key: message.id, waiting: message });

  const lastKey = entries.at(-1)?.key;
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    if (heightBefore.current) {
      // Earlier messages came above: what the member reads stays where it is.
      element.scrollTop += element.scrollHeight - heightBefore.current;
      heightBefore.current = 0;
    } else if (atEnd.current) element.scrollTop = element.scrollHeight;
    else if (lastKey !== lastBefore.current) setBelow(true);
    lastBefore.current = lastKey;
  }, [lastKey, messages.length]);

  const isThere = thread !== undefined;
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    // The field below grows with its text, and would cover the last message.
    const observer = new ResizeObserver(() => atEnd.current && element.scrollTo({ top: element.scrollHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, [isThere]);
  const toEnd = (): void => {
    // What comes next is shown, too.
    atEnd.current = true;
    setBelow(false);
    box.current?.scrollTo({ top: box.current.scrollHeight });
  };
  useImperativeHandle(end, () => ({ isUnseen: isBelow, show: toEnd }));
  if (!thread) return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Skeleton lines={4} />;
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <Scrollable
        ref={box}
        role="log"
        aria-label={t("thread.messages")}
        className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto px-4 py-4 -outline-offset-2"
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          atEnd.current = scrollHeight - scrollTop - clientHeight < END_PX;
          if (atEnd.current) setBelow(false);
        }}
      >
        {earlier.error && <Failed error={earlier.error} onRetry={() => earlier.mutate()} />}
        {thread.earlier !== undefined && (
          <Button small className="self-center" disabled={earlier.isPending} onClick={() => earlier.mutate()}>
            {t("thread.earlier")}
          </Button>
        )}
        {entries.map((entry, i) => (
          <Fragment key={entry.key}>
            {dayOf(entry.at) !== dayOf(entries[i - 1]?.at) && (
              <p className="my-1 flex items-center gap-3 text-xs text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
                {dayOf(entry.at)}
              </p>
            )}
            {"event" in entry ? (
              <IdentityEventLine event={entry.event} />
            ) : (
              <MessageBubble
                message={"message" in entry ? entry.message : entry.waiting}
                author={authorOf("message" in entry ? entry.message : entry.waiting)}
                isWaiting={"waiting" in entry}
                mayForward={mayForward}
              />
            )}
          </Fragment>
        ))}
      </Scrollable>
      {isBelow && (
        <Button
          look="primary"
          small
          className="absolute inset-x-0 bottom-2 mx-auto w-fit rounded-full shadow-popup"
          onClick={toEnd}
        >
          <ArrowDown size={14} aria-hidden="true" />
          {t("thread.newBelow")}
        </Button>
      )}
    </div>
  );
}
