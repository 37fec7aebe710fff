import { type InfiniteData, type UseInfiniteQueryResult, useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import type { Page } from "../../api/paged.js";
import { Button } from "../../ui/button.js";
import { Confirm } from "../../ui/confirm.js";
import { Part } from "../../ui/detail-page.js";
import { Paged } from "../../ui/paged.js";
import { toast } from "../../ui/toasts.js";

interface Named {
  id: string;
  name: string;
}

/** What a workspace has several of, page by page: each can be opened and removed, and new ones are added. */
export function ManagedList<Item extends Named>({
  texts,
  query,
  onOpen,
  onRemove,
  onChanged,
  children,
  foot,
}: {
  texts: {
    title: string;
    explain: string;
    add: string;
    empty: string;
    removeExplain: string;
    removed: (name: string) => string;
  };
  query: UseInfiniteQueryResult<InfiniteData<Page<Item>>>;
  /** Undefined: a new one. */
  onOpen: (item: Item | undefined) => void;
  onRemove: (item: Item) => Promise<unknown>;
  /** After a removal, whether or not it succeeded. */
  onChanged: () => void;
  /** What a row says. */
  children: (item: Item) => ReactNode;
  foot?: ReactNode;
}): ReactNode {
  const { t } = useTranslation();
  const [removing, setRemoving] = useState<Item>();
  const remove = useMutation({
    mutationFn: onRemove,
    onSuccess: (_, { name }) => toast(texts.removed(name)),
    onError: (error) => toast(failureOf(error).sentence, { failed: true }),
    onSettled: onChanged,
  });
  return (
    <Part
      title={texts.title}
      action={
        <Button small onClick={() => onOpen(undefined)}>
          {texts.add}
        </Button>
      }
    >
      <p className="text-muted">{texts.explain}</p>
      <Paged
        query={query}
        label={texts.title}
        keyOf={({ id }) => id}
        empty={<p className="rounded-lg border border-line p-3 text-muted">{texts.empty}</p>}
        row={(item) => (
          <div className="flex flex-wrap items-start gap-x-4 gap-y-2 p-3">
            <div className="min-w-48 flex-1">{children(item)}</div>
            <div role="group" aria-label={t("entries.actions", { name: item.name })} className="flex gap-2">
              <Button small onClick={() => onOpen(item)}>
                {t("lists.edit")}
              </Button>
              <Button small look="danger" disabled={remove.isPending} onClick={() => setRemoving(item)}>
                {t("lists.remove")}
              </Button>
            </div>
          </div>
        )}
      />
      {foot}
      <Confirm
        open={removing !== undefined}
        title={t("entries.removeTitle", { name: removing?.name ?? "" })}
        verb={t("lists.remove")}
        danger
        onClose={() => setRemoving(undefined)}
        onConfirm={() => {
          setRemoving(undefined);
          if (removing) remove.mutate(removing);
        }}
      >
        {texts.removeExplain}
      </Confirm>
    </Part>
  );
}
