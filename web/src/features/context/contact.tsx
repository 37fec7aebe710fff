import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { contactQuery, displayNameOf } from "../../api/contacts.js";
import type { Contact, Conversation } from "../../api/parley.js";
import { withTexts } from "../../i18n/i18n.js";
import { mayWrite } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import { Button } from "../../ui/button.js";
import { compose } from "../../composing.js";
import { Merge } from "../contacts/merge.js";
import { accountNameQuery, contactsQuery } from "../contacts/queries.js";
import { Line } from "./section.js";

const EditContact = withTexts(() => import("../contacts/edit.js"));

/** Where the contact belongs, and what can be done about them without leaving the conversation. */
export default function ContactActions({
  conversation: { id, contactId, senderProof },
}: {
  conversation: Conversation;
}): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const me = useMember();
  const { data: contact } = useQuery(contactQuery(contactId));
  const namesake = useNamesake(senderProof === "none" || senderProof === "channel" ? contact : undefined);
  const [open, setOpen] = useState<"edit" | "merge" | "namesake">();
  if (!contact) return null;
  const close = (): void => setOpen(undefined);
  return (
    <>
      {contact.accountId !== null && <Account id={contact.accountId} />}
      {mayWrite(me) && namesake && (
        <div className="mt-1 flex flex-wrap items-center justify-between gap-2 rounded-md bg-canvas px-3 py-2">
          <p className="min-w-0 flex-1 basis-40 wrap-anywhere">
            {t("contacts.merge.sameAddress", { name: displayNameOf(namesake) })}
          </p>
          <Button small onClick={() => setOpen("namesake")}>
            {t("contacts.merge.compare")}
          </Button>
        </div>
      )}
      {mayWrite(me) && contact.mergedIntoId === null && (
        <div className="mt-1 flex flex-wrap gap-1.5">
          <Button small onClick={() => compose(contact.id)}>
            {t("contacts.write")}
          </Button>
          <Button small onClick={() => setOpen("edit")}>
            {t("contacts.edit")}
          </Button>
          <Button small onClick={() => setOpen("merge")}>
            {t("contacts.merge.button")}
          </Button>
        </div>
      )}
      <Suspense>{open === "edit" && <EditContact contact={contact} onClose={close} />}</Suspense>
      <Merge
        contact={contact}
        found={open === "namesake" ? namesake : undefined}
        open={open === "merge" || open === "namesake"}
        onClose={close}
        // The conversation is the survivor's now.
        onMerged={() => void client.invalidateQueries({ queryKey: ["conversation", id] })}
      />
    </>
  );
}

/** Another contact with the address that this one gave. Nothing proves that it is theirs, so a person has to say whether they are the same. */
function useNamesake(contact: Contact | null | undefined): Contact | undefined {
  const [address] = [...(contact?.emails ?? []), ...(contact?.phones ?? [])];
  const { data } = useInfiniteQuery({ ...contactsQuery(address?.value ?? "", 10), enabled: address !== undefined });
  return data?.pages
    .flatMap((page) => page.data)
    .find(
      ({ id, emails, phones }) =>
        id !== contact?.id && [...emails, ...phones].some(({ value }) => value === address?.value),
    );
}

function Account({ id }: { id: string }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data: name } = useQuery(accountNameQuery(client, id));
  return (
    <Line label={t("contacts.account")}>
      <Link to="/accounts/$accountId" params={{ accountId: id }} dir="auto" className="hover:underline">
        {name ?? t("common.loading")}
      </Link>
    </Line>
  );
}
