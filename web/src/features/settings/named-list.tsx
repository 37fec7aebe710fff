import { useMutation, useQuery, useQueryClient, type UseQueryOptions } from "@tanstack/react-query";
import { type ReactNode, type RefObject, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { Badge } from "../../ui/badge.js";
import { Button } from "../../ui/button.js";
import { Confirm } from "../../ui/confirm.js";
import { Part } from "../../ui/detail-page.js";
import { Dialog } from "../../ui/dialog.js";
import { Alert } from "../../ui/field.js";
import { useWrongFocus } from "../../ui/focus.js";
import { Failed, Skeleton } from "../../ui/states.js";
import { Submit } from "../../ui/submit.js";
import { toast } from "../../ui/toasts.js";
import { useUnsavedInput } from "../../ui/unsaved.js";
import { otherRefusal, refusalOf } from "./edits.js";

interface Named {
  name: string;
}

/** What the form of one item gets. */
export interface ItemForm<Item, Sent> {
  /** Undefined for a new one. */
  item: Item | undefined;
  /** What the server said about one of its fields. */
  wrong: (field: string) => string | undefined;
  form: RefObject<HTMLFormElement | null>;
  send: (item: Sent) => void;
  end: ReactNode;
}

interface Props<Item extends Named, Sent extends Named> {
  title: string;
  explain: string;
  add: string;
  /** What the server calls the list. */
  field: string;
  /** The fields of an item that its form has. */
  fields: readonly string[];
  query: UseQueryOptions<Item[], Error, Item[], string[]>;
  detail: (item: Item) => string;
  hasSecret?: (item: Item) => boolean;
  removeExplain: string;
  /** An item as it is sent unchanged: without its secret, so that the stored one stays. */
  kept: (item: Item) => Sent;
  replace: (items: Sent[]) => Promise<Item[]>;
  children: (form: ItemForm<Item, Sent>) => ReactNode;
  foot?: ReactNode;
}

/** A short list that the server replaces as a whole: its items are added, changed and deleted by name. */
export function NamedList<Item extends Named, Sent extends Named>(props: Props<Item, Sent>): ReactNode {
  const { title, explain, add, query, detail, hasSecret, removeExplain, kept, replace, foot } = props;
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(query);
  const [open, setOpen] = useState<{ item: Item | undefined }>();
  const [removing, setRemoving] = useState<Item>();
  /** Changes what the server has now, and not what this page has shown. */
  const change = async (edit: (now: Sent[]) => Sent[]): Promise<Item[]> => {
    const now = await client.fetchQuery({ ...query, staleTime: 0 });
    return replace(edit(now.map(kept)));
  };
  const onSuccess = (items: Item[]): void => {
    client.setQueryData(query.queryKey, items);
    toast(t("settings.saved"));
  };
  const remove = useMutation({
    mutationFn: ({ name }: Item) => change((now) => now.filter((one) => one.name !== name)),
    onSuccess,
    onError: (failure) => toast(failureOf(failure).sentence, { failed: true }),
  });
  return (
    <Part
      title={title}
      action={
        <Button small disabled={!data} onClick={() => setOpen({ item: undefined })}>
          {add}
        </Button>
      }
    >
      <p className="text-muted">{explain}</p>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={1} />}
      {data && data.length > 0 && (
        <ul aria-label={title} className="flex flex-col divide-y divide-line rounded-lg border border-line">
          {data.map((item) => (
            <li key={item.name} className="flex flex-wrap items-center gap-x-4 gap-y-2 p-3">
              <div className="min-w-48 flex-1">
                <p className="flex flex-wrap items-center gap-2">
                  <span className="font-medium wrap-anywhere">{item.name}</span>
                  {hasSecret?.(item) && <Badge look="ok">{t("sources.stored")}</Badge>}
                </p>
                <p className="text-sm wrap-anywhere text-muted">{detail(item)}</p>
              </div>
              <div role="group" aria-label={t("entries.actions", { name: item.name })} className="flex gap-2">
                <Button small onClick={() => setOpen({ item })}>
                  {t("lists.edit")}
                </Button>
                <Button small look="danger" disabled={remove.isPending} onClick={() => setRemoving(item)}>
                  {t("lists.remove")}
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      {foot}
      <Dialog open={open !== undefined} wide onClose={() => setOpen(undefined)} title={open?.item?.name ?? add}>
        {open && (
          <Form
            {...props}
            item={open.item}
            change={change}
            onSaved={(items) => {
              onSuccess(items);
              setOpen(undefined);
            }}
            onCancel={() => setOpen(undefined)}
          />
        )}
      </Dialog>
      <Confirm
        open={removing !== undefined}
        title={t("widgets.removeTitle", { name: removing?.name ?? "" })}
        verb={t("lists.remove")}
        danger
        onClose={() => setRemoving(undefined)}
        onConfirm={() => {
          setRemoving(undefined);
          if (removing) remove.mutate(removing);
        }}
      >
        {removeExplain}
      </Confirm>
    </Part>
  );
}

function Form<Item extends Named, Sent extends Named>({
  field,
  fields,
  item,
  change,
  onSaved,
  onCancel,
  children,
}: Props<Item, Sent> & {
  item: Item | undefined;
  change: (edit: (now: Sent[]) => Sent[]) => Promise<Item[]>;
  onSaved: (items: Item[]) => void;
  onCancel: () => void;
}): ReactNode {
  const { t } = useTranslation();
  // Where the item is in the list that was sent: the server names its fields by that.
  const [at, setAt] = useState(0);
  const save = useMutation({
    mutationFn: (sent: Sent) =>
      change((now) => {
        const index = item ? now.findIndex(({ name }) => name === item.name) : -1;
        setAt(index === -1 ? now.length : index);
        return index === -1 ? [...now, sent] : now.map((one, i) => (i === index ? sent : one));
      }),
    onSuccess: onSaved,
  });
  const other = otherRefusal(
    save.error,
    fields.map((name) => `${field}.${at}.${name}`),
  );
  const form = useWrongFocus(save.error);
  const { onInput, question } = useUnsavedInput(save.isSuccess);
  const fieldsAndEnd = children({
    item,
    wrong: (name) => refusalOf(save.error, `${field}.${at}.${name}`),
    form,
    send: (sent) => save.mutate(sent),
    end: (
      <>
        {other !== undefined && <Alert>{other}</Alert>}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onCancel}>{t("common.cancel")}</Button>
          <Submit isBusy={save.isPending}>{t("common.save")}</Submit>
        </div>
        {question}
      </>
    ),
  });
  return <div onInput={onInput}>{fieldsAndEnd}</div>;
}
