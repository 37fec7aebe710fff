import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { parley } from "../../api/parley.js";
import { Button } from "../../ui/button.js";
import { Field } from "../../ui/field.js";
import { Empty, Failed, Skeleton } from "../../ui/states.js";
import { plain } from "../../ui/plain.js";
import { percent } from "./percent.js";

const MAX_HITS = 8;

/** What the assistant would find for a question, and how sure it is. */
export function TryQuestion({ workspaceId, children }: { workspaceId: string; children: ReactNode }): ReactNode {
  const { t, i18n } = useTranslation();
  const [asked, setAsked] = useState("");
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["knowledge", "search", workspaceId, asked],
    queryFn: ({ signal }) =>
      parley.kbEntries.search(workspaceId, { q: asked, limit: MAX_HITS }, { signal }).then((page) => page.data),
    enabled: asked !== "",
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setAsked((new FormData(event.currentTarget).get("q") as string).trim());
  };
  return (
    <section aria-labelledby="try-title" className="flex flex-col gap-4">
      <div>
        <h2 id="try-title" className="font-semibold">
          {t("ask.title")}
        </h2>
        <p className="text-muted">{t("ask.explain")}</p>
      </div>
      <form role="search" onSubmit={submit} className="flex max-w-2xl flex-wrap items-end gap-2">
        <Field
          label={t("ask.question")}
          name="q"
          placeholder={t("ask.placeholder")}
          maxLength={500}
          dir="auto"
          className="min-w-48 flex-1"
        />
        <Button type="submit" look="primary">
          {t("ask.button")}
        </Button>
      </form>
      <div role="status">
        {isFetching && !data && <Skeleton lines={2} />}
        {data?.length === 0 && <Empty text={t("ask.empty")}>{children}</Empty>}
        {data && data.length > 0 && (
          <>
            <h3 className="mb-2 text-sm font-semibold text-muted">{t("ask.results")}</h3>
            <ol className="flex flex-col divide-y divide-line rounded-lg border border-line">
              {data.map(({ confidence, entry }) => (
                <li key={entry.id} className="flex flex-wrap gap-x-4 gap-y-1 p-3">
                  <div className="min-w-40 flex-1">
                    <p dir="auto" className="font-medium break-words">
                      {entry.question}
                    </p>
                    <p dir="auto" className="line-clamp-3 text-sm break-words text-muted">
                      {plain(entry.answer)}
                    </p>
                  </div>
                  <Sure share={confidence} text={t("ask.sure", { percent: percent(confidence, i18n.language) })} />
                </li>
              ))}
            </ol>
          </>
        )}
      </div>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
    </section>
  );
}

/** A share as a bar, with its text. */
const Sure = ({ share, text }: { share: number; text: string }): ReactNode => (
  <div className="flex w-24 shrink-0 flex-col gap-1 text-sm text-muted tabular-nums">
    <span>{text}</span>
    <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" className="h-1 w-full rounded-full">
      <rect width="100" height="4" className="fill-line" />
      <rect width={share * 100} height="4" className="fill-accent" />
    </svg>
  </div>
);
