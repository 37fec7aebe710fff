import { useMutation, useQueryClient } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { Confirm } from "../../ui/confirm.js";
import { Scrollable } from "../../ui/scrollable.js";
import { toast } from "../../ui/toasts.js";
import { KB } from "./kinds.js";
import type { OfPage } from "./of-page.js";

const Markdown = lazy(() => import("../../ui/markdown.js"));

/** So many are approved at the same time. */
const AT_ONCE = 4;

interface Props {
  page: OfPage;
  onClose: () => void;
  /** @param failed why some could not be approved, by their ids */
  onDone: (failed: ReadonlyMap<string, string>) => void;
}

/** Approves what was read from one page, after the member has seen all of it: a page can hide text that was read. */
export default function ApprovePage({ page: { url, entries }, onClose, onDone }: Props): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const failed = new Map<string, string>();
      const waiting = entries.values();
      const approve = async (): Promise<void> => {
        for (const entry of waiting)
          try {
            await KB.approve(entry);
          } catch (error) {
            failed.set(entry.id, failureOf(error).sentence);
          }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, approve));
      await client.invalidateQueries({ queryKey: [KB.name] });
      return failed;
    },
    onSuccess: (failed) => {
      const count = entries.length - failed.size;
      if (count > 0) toast(t("entries.page.done", { count }));
      if (failed.size > 0) toast(t("entries.page.failed", { count: failed.size }), { failed: true });
      onDone(failed);
    },
  });
  const count = entries.length;
  return (
    <Confirm
      open
      title={t("entries.page.title", { count })}
      verb={isPending ? t("entries.page.busy") : t("entries.page.verb", { count })}
      busy={isPending}
      onConfirm={() => mutate()}
      onClose={() => !isPending && onClose()}
    >
      <p className="text-sm wrap-anywhere text-muted">{url}</p>
      <Scrollable className="my-3 max-h-60 overflow-y-auto rounded-md border border-line">
        <ul aria-label={t("entries.queue")} className="divide-y divide-line">
          {entries.map(({ id, question, answer }) => (
            <li key={id} className="px-3 py-1.5 break-words">
              <p dir="auto" className="font-medium">
                {question}
              </p>
              <div dir="auto" className="text-sm text-muted">
                <Suspense fallback={<p className="whitespace-pre-wrap">{answer}</p>}>
                  <Markdown text={answer} />
                </Suspense>
              </div>
            </li>
          ))}
        </ul>
      </Scrollable>
      <p>{t("entries.page.explain")}</p>
    </Confirm>
  );
}
