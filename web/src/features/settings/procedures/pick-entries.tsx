import { useQueries, useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../../api/failure.js";
import { parley } from "../../../api/parley.js";
import { Button, IconButton } from "../../../ui/button.js";
import { Field } from "../../../ui/field.js";
import { entryQuery } from "../../knowledge/queries.js";
import { KB } from "../../knowledge/kinds.js";

/** A search starts when nothing was typed for this long. */
const PAUSE_MS = 250;
const MAX_FOUND = 5;

/** Approved entries, found by a question. Those that are chosen are shown by their own. */
export function PickEntries({
  workspaceId,
  label,
  hint,
  ids,
  most,
  onChange,
}: {
  workspaceId: string;
  label: string;
  hint: string;
  ids: readonly string[];
  most: number;
  onChange: (ids: string[]) => void;
}): ReactNode {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const [asked, setAsked] = useState("");
  const group = useRef<HTMLDivElement>(null);
  const list = useId();
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const { data: found } = useQuery({
    queryKey: ["knowledge", "pick", workspaceId, asked],
    queryFn: async ({ signal }) =>
      (await parley.kbEntries.search(workspaceId, { q: asked, limit: MAX_FOUND }, { signal })).data,
    enabled: asked !== "",
  });
  const chosen = useQueries({ queries: ids.map((id) => entryQuery(KB, id)) });
  const offered = asked && text.trim() ? found?.filter(({ entry }) => !ids.includes(entry.id)) : undefined;
  const isFull = ids.length >= most;
  // What had the focus is gone.
  const moves = useRef(false);
  useLayoutEffect(() => {
    if (!moves.current) return;
    moves.current = false;
    group.current?.querySelector<HTMLElement>(isFull ? "[data-chosen] button" : "input")?.focus();
  });
  const change = (next: string[]): void => {
    moves.current = true;
    setText("");
    onChange(next);
  };
  return (
    <div ref={group} className="flex flex-col gap-2">
      {isFull ? (
        <p className="font-medium">{label}</p>
      ) : (
        <Field
          label={label}
          hint={hint}
          type="search"
          dir="auto"
          autoComplete="off"
          maxLength={500}
          value={text}
          aria-controls={list}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            // It would send the whole form.
            if (event.key === "Enter") event.preventDefault();
          }}
        />
      )}
      <div id={list} role="status">
        {offered && offered.length === 0 && <p className="text-sm text-muted">{t("procedures.noEntry")}</p>}
        {offered && offered.length > 0 && (
          <ul aria-label={t("procedures.entriesFound")} className="flex flex-col gap-1">
            {offered.map(({ entry }) => (
              <li key={entry.id}>
                <Button
                  small
                  className="h-auto max-w-full py-1 text-start whitespace-normal"
                  onClick={() => change([...ids, entry.id])}
                >
                  <span dir="auto">{entry.question}</span>
                </Button>
              </li>
            ))}
          </ul>
        )}
      </div>
      {ids.length > 0 && (
        <ul data-chosen aria-label={label} className="flex flex-col divide-y divide-line rounded-md border border-line">
          {ids.map((id, n) => {
            const { data: entry, error } = chosen[n]!;
            const name = entry?.question ?? id;
            return (
              <li key={id} className="flex items-center gap-2 p-2">
                <span dir="auto" className="min-w-0 flex-1 wrap-anywhere">
                  {name}
                  {entry && entry.status !== "approved" && (
                    <span className="text-muted"> ({t("procedures.entryNotUsed")})</span>
                  )}
                  {error && <span className="text-danger"> {failureOf(error).sentence}</span>}
                </span>
                <IconButton
                  label={t("procedures.dropEntry", { name })}
                  onClick={() => change(ids.filter((one) => one !== id))}
                >
                  <X size={16} />
                </IconButton>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
