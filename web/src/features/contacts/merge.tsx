import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowLeftRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { type Contact, parley } from "../../api/parley.js";
import { displayNameOf } from "../../api/contacts.js";
import { Avatar } from "../../ui/avatar.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Alert } from "../../ui/field.js";
import { Skeleton } from "../../ui/states.js";
import { toast } from "../../ui/toasts.js";
import { Comparison } from "./comparison.js";
import { Pick, Picked } from "./pick.js";
import { contactChanged, contactsQuery } from "./queries.js";

/** Two contacts become one. The member finds the other one, sees both and the result, and confirms. */
export function Merge({
  contact,
  found,
  open,
  onClose,
  onMerged,
}: {
  contact: Contact;
  /** The other one, if it is known already. */
  found?: Contact | undefined;
  open: boolean;
  onClose: () => void;
  onMerged: (survivor: Contact) => void;
}): ReactNode {
  const { t } = useTranslation();
  /** Null if the member wants another one than `found`. */
  const [picked, setPicked] = useState<Contact | null>();
  const other = picked === undefined ? found : picked;
  const close = (): void => {
    setPicked(undefined);
    onClose();
  };
  return (
    <Dialog wide open={open} onClose={close} title={t("contacts.merge.title")}>
      {other ? (
        <Preview
          contact={contact}
          other={other}
          onAnother={() => setPicked(null)}
          onMerged={(survivor) => {
            close();
            onMerged(survivor);
          }}
        />
      ) : (
        <PickOther contact={contact} onPick={setPicked} />
      )}
    </Dialog>
  );
}

function PickOther({ contact, onPick }: { contact: Contact; onPick: (other: Contact) => void }): ReactNode {
  const { t } = useTranslation();
  // People with the same name are the likeliest.
  const [q, setQ] = useState(contact.name ?? "");
  const contacts = useInfiniteQuery(contactsQuery(q, 10));
  return (
    <>
      <p className="mb-3 text-muted">{t("contacts.merge.explain")}</p>
      <Pick
        label={t("contacts.search")}
        placeholder={t("contacts.searchHint")}
        q={q}
        onSearch={setQ}
        query={contacts}
        leaveOut={contact.id}
        empty={t("contacts.merge.noOther")}
        item={(one) => {
          const name = displayNameOf(one);
          const points = [...one.emails, ...one.phones].map(({ value }) => value);
          return (
            <>
              <Avatar id={one.id} name={name} />
              <Picked name={name} rest={points.filter((value) => value !== name).join(", ")} />
            </>
          );
        }}
        onPick={onPick}
      />
    </>
  );
}

function Preview({
  contact,
  other,
  onAnother,
  onMerged,
}: {
  contact: Contact;
  other: Contact;
  onAnother: () => void;
  onMerged: (survivor: Contact) => void;
}): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [isSwapped, setSwapped] = useState(false);
  const [survivor, source] = isSwapped ? [other, contact] : [contact, other];
  const preview = useQuery({
    queryKey: ["merge", survivor.id, source.id],
    queryFn: async ({ signal }) => {
      const result = await parley.contacts.merge(survivor.id, { sourceContactId: source.id, dryRun: true }, { signal });
      if ("contact" in result) return result;
      throw new Error("The preview is missing");
    },
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  const merge = useMutation({
    mutationFn: () => parley.contacts.merge(survivor.id, { sourceContactId: source.id }),
    onSuccess: (result) => {
      if ("contact" in result) return;
      contactChanged(client, result);
      const changed = ["conversations-of", "conversations", "cases", "bookings", "account"].map((kind) => [kind]);
      for (const queryKey of [["contact", source.id], ...changed]) void client.invalidateQueries({ queryKey });
      toast(t("contacts.merge.done"));
      onMerged(result);
    },
  });
  const failed = merge.error ?? preview.error;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap gap-2">
        <Button
          small
          onClick={() => {
            merge.reset();
            setSwapped(!isSwapped);
          }}
        >
          <ArrowLeftRight size={14} aria-hidden="true" />
          {t("contacts.merge.swap")}
        </Button>
        <Button small onClick={onAnother}>
          {t("contacts.merge.another")}
        </Button>
      </div>
      {preview.isPending ? (
        <Skeleton lines={3} />
      ) : (
        <Comparison survivor={survivor} source={source} after={preview.data?.contact} />
      )}
      {preview.data && <Moves preview={preview.data} />}
      {failed && <Alert>{failureOf(failed).sentence}</Alert>}
      <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
        <p className="min-w-48 flex-1 text-muted">{t("contacts.merge.final")}</p>
        <Button look="primary" disabled={!preview.data || merge.isPending} onClick={() => merge.mutate()}>
          {t("contacts.merge.confirm")}
        </Button>
      </div>
    </div>
  );
}

const KINDS = ["conversations", "cases", "bookings", "identityEvents"] as const;

/** What moves to the contact that remains, and what the person has to prove again. */
function Moves({ preview }: { preview: Record<(typeof KINDS)[number] | "assuranceLevelsLost", number> }): ReactNode {
  const { t } = useTranslation();
  const moving = KINDS.filter((kind) => preview[kind] > 0).map((kind) =>
    t(`contacts.merge.${kind}`, { count: preview[kind] }),
  );
  return (
    <div className="flex flex-col gap-2">
      <p>
        <span className="text-muted">{t("contacts.merge.moves")}: </span>
        {moving.length > 0 ? moving.join(", ") : t("contacts.merge.nothingMoves")}
      </p>
      {preview.assuranceLevelsLost > 0 && (
        <p className="rounded-md bg-note px-3 py-2 text-note-text">
          {t("contacts.merge.levelsLost", { count: preview.assuranceLevelsLost })}
        </p>
      )}
    </div>
  );
}
