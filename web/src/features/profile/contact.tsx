import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { Ellipsis } from "lucide-react";
import { type ReactNode, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { type Contact, parley } from "../../api/parley.js";
import { displayNameOf } from "../../api/contacts.js";
import { region, withTexts } from "../../i18n/i18n.js";
import { manages, mayWrite } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import { Button, IconButton } from "../../ui/button.js";
import { DetailPage, DetailPending, Part } from "../../ui/detail-page.js";
import { Menu, MenuItem } from "../../ui/menu.js";
import { Failed } from "../../ui/states.js";
import { When } from "../../ui/dates.js";
import { useMinute } from "../../ui/time.js";
import { Avatar } from "../../ui/avatar.js";
import { toast } from "../../ui/toasts.js";
import { compose } from "../../composing.js";
import { useRecentSignIn } from "../sign-in/recent-sign-in.js";
import { AccountOf } from "../contacts/account-of.js";
import { Details, Facts } from "../contacts/facts.js";
import { History } from "./history.js";
import { localTime } from "../contacts/local-time.js";
import { download } from "../contacts/download.js";
import { Erase } from "../contacts/erase.js";
import { Merge } from "../contacts/merge.js";
import { wholeContactQuery } from "../contacts/queries.js";

const EditContact = withTexts(() => import("../contacts/edit.js"));

/** One person: what is known about them, where they belong, and what they wrote. */
export function ContactPage(): ReactNode {
  const { t } = useTranslation();
  const { contactId = "" }: { contactId?: string } = useParams({ strict: false });
  const { data: contact, error, refetch } = useQuery(wholeContactQuery(contactId));
  const back = { to: "/contacts", label: t("contacts.back") };
  if (!contact)
    return <DetailPending id={contactId} back={back} query={{ error, refetch }} one={t("shell.contacts")} />;
  return (
    <DetailPage
      id={contactId}
      back={back}
      picture={<Avatar id={contact.id} name={displayNameOf(contact)} />}
      title={displayNameOf(contact)}
      action={<Actions key={contact.id} contact={contact} />}
    >
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {contact.mergedIntoId !== null && <Merged survivorId={contact.mergedIntoId} />}
      <Content key={contact.id} contact={contact} />
    </DetailPage>
  );
}

/** What happened with them, and beside it who they are. */
function Content({ contact }: { contact: Contact }): ReactNode {
  const { t } = useTranslation();
  const me = useMember();
  useMinute();
  const [isEditing, setEditing] = useState(false);
  const mayChange = mayWrite(me) && contact.mergedIntoId === null;
  const attributes = Object.entries(contact.attributes);
  const time = localTime(contact, region());
  return (
    <div className="grid grid-cols-1 items-start gap-x-10 gap-y-8 lg:grid-cols-[20rem_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-8">
        <Part
          title={t("contacts.details")}
          action={
            mayChange && (
              <Button small onClick={() => setEditing(true)}>
                {t("contacts.edit")}
              </Button>
            )
          }
        >
          <Details contact={contact} />
        </Part>
        <AccountOf contact={contact} mayChange={mayChange} />
        <Part title={t("contacts.facts")}>
          <Facts
            facts={[
              ...(time === undefined ? [] : [[t("context.localTime"), time] as const]),
              [t("contacts.since"), <When at={contact.createdAt} />],
              [t("contacts.externalId"), contact.externalId],
              ...attributes.map(
                ([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)] as const,
              ),
            ]}
          />
        </Part>
      </div>
      <History contactId={contact.id} />
      <Suspense>{isEditing && <EditContact contact={contact} onClose={() => setEditing(false)} />}</Suspense>
    </div>
  );
}

function Merged({ survivorId }: { survivorId: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <p className="mb-6 rounded-lg border border-note-line bg-note p-3 text-note-text">
      {t("contacts.mergedInto")}{" "}
      <Link to="/contacts/$contactId" params={{ contactId: survivorId }} className="font-medium underline">
        {t("contacts.toSurvivor")}
      </Link>
    </p>
  );
}

/** Merge, and for owners and admins export and erase. */
function Actions({ contact }: { contact: Contact }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const me = useMember();
  const [open, setOpen] = useState<"merge" | "erase">();
  const { withRecentSignIn, dialog } = useRecentSignIn();
  const exporting = useMutation({
    mutationFn: () => withRecentSignIn(() => parley.contacts.export(contact.id)),
    onSuccess: (file) => {
      download(file, `contact-${contact.id}.zip`);
      toast(t("contacts.exported"));
    },
    onError: (error) => toast(failureOf(error).sentence, { failed: true }),
  });
  if (!mayWrite(me)) return null;
  const close = (): void => setOpen(undefined);
  return (
    <div className="flex items-center gap-1.5">
      {contact.mergedIntoId === null && (
        <>
          <Button onClick={() => setOpen("merge")}>{t("contacts.merge.button")}</Button>
          <Button look="primary" onClick={() => compose(contact.id)}>
            {t("contacts.write")}
          </Button>
        </>
      )}
      {manages(me) && (
        <Menu
          trigger={
            <IconButton label={t("contacts.more")}>
              <Ellipsis size={18} />
            </IconButton>
          }
        >
          <MenuItem onClick={() => exporting.mutate()}>{t("contacts.export")}</MenuItem>
          <MenuItem onClick={() => setOpen("erase")}>{t("contacts.erase.button")}</MenuItem>
        </Menu>
      )}
      <Merge
        contact={contact}
        open={open === "merge"}
        onClose={close}
        onMerged={({ id }) => void navigate({ to: "/contacts/$contactId", params: { contactId: id } })}
      />
      <Erase
        contact={contact}
        open={open === "erase"}
        withRecentSignIn={withRecentSignIn}
        onClose={close}
        onErased={() => {
          close();
          void navigate({ to: "/contacts", replace: true }).then(() =>
            client.removeQueries({ queryKey: ["contact", contact.id] }),
          );
        }}
      />
      {dialog}
    </div>
  );
}
