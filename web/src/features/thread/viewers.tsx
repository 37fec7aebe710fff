import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { contactQuery, displayNameOf } from "../../api/contacts.js";
import { parley } from "../../api/parley.js";
import { viewersQuery } from "../../api/queries.js";
import { useContactTypes } from "../../live/visitors.js";
import { useMember } from "../../session/session.js";

/** The server forgets after 20 seconds that somebody is looking. */
const LEASE_MS = 16_000;
const CHECK_MS = 1_000;
/** A member who leaves a conversation sooner than this has not looked at it, and colleagues are not notified. */
const PASSING_MS = 500;

/** Tells colleagues that this member looks at the conversation, while the page is in front. */
export function useViewing(id: string): { type: (typing: boolean) => void } {
  const state = useRef<"viewing" | "typing">("viewing");
  const sent = useRef(0);
  const sending = useRef<Promise<unknown>>(Promise.resolve());
  const tell = useCallback(
    (next: "viewing" | "typing" | "left"): void => {
      if (next !== "left") sent.current = Date.now();
      // One at a time: two requests at once may arrive in the wrong order. If one is lost, the lease ends by itself.
      sending.current = sending.current
        .then(() => parley.conversations.setViewing(id, { state: next }))
        .catch(() => undefined);
    },
    [id],
  );
  useEffect(() => {
    state.current = "viewing";
    sent.current = 0;
    const renew = (): void => {
      if (document.visibilityState === "visible") tell(state.current);
    };
    const changed = (): void => (document.visibilityState === "visible" ? renew() : tell("left"));
    const begin = setTimeout(renew, PASSING_MS);
    // What says that the member types renews it, too.
    const timer = setInterval(() => {
      if (Date.now() - sent.current >= LEASE_MS) renew();
    }, CHECK_MS);
    document.addEventListener("visibilitychange", changed);
    return () => {
      clearTimeout(begin);
      clearInterval(timer);
      document.removeEventListener("visibilitychange", changed);
      // After the next conversation is on the screen.
      if (sent.current) setTimeout(() => tell("left"), PASSING_MS);
    };
  }, [tell]);
  return {
    type: (typing) => {
      const next = typing ? "typing" : "viewing";
      if (state.current === next) return;
      state.current = next;
      tell(next);
    },
  };
}

/** Whether the contact types, and which colleagues look at the conversation, or write an answer. */
export function Viewers({ id, contactId }: { id: string; contactId: string }): ReactNode {
  const { t } = useTranslation();
  const doesContactType = useContactTypes(id);
  const { data: contact } = useQuery(contactQuery(contactId));
  const me = useMember();
  const { data = [] } = useQuery(viewersQuery(id));
  const [now, setNow] = useState(Date.now);
  const others = data.filter(({ memberId, until }) => memberId !== me.id && Date.parse(until) > now);
  // A colleague whose browser is gone says nothing. Their lease ends.
  const nextEnd = Math.min(...others.map(({ until }) => Date.parse(until)));
  useEffect(() => {
    if (nextEnd === Infinity) return;
    const timer = setTimeout(() => setNow(Date.now()), nextEnd - Date.now() + 1);
    return () => clearTimeout(timer);
  }, [data, nextEnd]);
  const names = (state: "viewing" | "typing"): string =>
    others
      .filter((viewer) => viewer.state === state)
      .map(({ name }) => name)
      .join(", ");
  const [typing, looking] = [names("typing"), names("viewing")];
  return (
    <p role="status" className="min-h-5 px-4 text-sm text-muted">
      {doesContactType
        ? t("composer.contactTypes", { name: displayNameOf(contact) })
        : typing
          ? t("composer.isTyping", { names: typing })
          : looking
            ? t("inbox.looking", { names: looking })
            : ""}
    </p>
  );
}
