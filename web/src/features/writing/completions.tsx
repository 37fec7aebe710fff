import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, type RefObject, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { plain } from "../../ui/plain.js";
import { begunEmoji, begunShortcut } from "./begun.js";
import { byShortcut, cannedQuery, useCanned } from "./canned.js";
import type { Emoji } from "./emoji.js";
import { replaceRange, Suggestions } from "./suggestions.js";

const MAX_LISTED = 8;

interface Props {
  field: RefObject<HTMLTextAreaElement | null>;
  conversationId: string;
  workspaceId: string;
  isNote: boolean;
}

/** While something is written: `/` offers canned replies by their shortcut, and `:` emoji by their name. */
export default function Completions({ field, conversationId, workspaceId, isNote }: Props): ReactNode {
  const { t } = useTranslation();
  const { data: canned } = useQuery(cannedQuery(workspaceId));
  const [emoji, setEmoji] = useState<{ find: (text: string, limit: number) => Emoji[] }>();
  useEffect(() => {
    // A browser that is offline may not have them.
    import("./emoji.js").then(({ findEmoji }) => setEmoji({ find: findEmoji })).catch(() => undefined);
  }, []);
  const insert = useCanned<{ from: number; to: number; asked: string }>(conversationId, (text, { from, to, asked }) => {
    const element = field.current;
    if (!element) return;
    // It may have been written on meanwhile.
    const isThere = element.value.slice(from, to) === asked;
    const end = element.value.length;
    replaceRange(element, text, isThere ? from : end, isThere ? to : end);
  });
  return (
    <>
      {!isNote && (
        <Suggestions
          field={field}
          label={t("writing.canned")}
          begun={begunShortcut}
          find={(text) => byShortcut(canned ?? [], text).slice(0, MAX_LISTED)}
          idOf={({ id }) => id}
          row={({ shortcut, title, body }) => (
            <span className="min-w-0 flex-1">
              <span className="flex items-baseline gap-2">
                <bdi className="truncate">{title}</bdi>
                <span className="ms-auto shrink-0 font-mono text-xs text-muted">/{shortcut}</span>
              </span>
              <span dir="auto" className="block truncate text-xs text-muted">
                {plain(body)}
              </span>
            </span>
          )}
          onChoose={({ id }, range) =>
            insert(id, { ...range, asked: field.current?.value.slice(range.from, range.to) ?? "" })
          }
          nothing={
            canned?.length === 0 &&
            ((onLeave) => (
              <>
                {t("writing.noneYet")}{" "}
                <Link to="/settings/canned-replies" onBlur={onLeave} className="text-accent hover:underline">
                  {t("writing.writeOne")}
                </Link>
              </>
            ))
          }
        />
      )}
      {emoji && (
        <Suggestions
          field={field}
          label={t("writing.emoji")}
          begun={begunEmoji}
          find={(text) => emoji.find(text, MAX_LISTED)}
          idOf={([character]) => character}
          row={([character, name]) => (
            <>
              <span aria-hidden="true" className="w-6 text-center text-lg leading-none">
                {character}
              </span>
              <span className="truncate">{name}</span>
            </>
          )}
          onChoose={([character], { from, to }) => replaceRange(field.current!, `${character} `, from, to)}
        />
      )}
    </>
  );
}
