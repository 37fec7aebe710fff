import { useQuery } from "@tanstack/react-query";
import { type ReactNode, type Ref, Suspense, useId, useRef } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { contactQuery, displayNameOf } from "../../api/contacts.js";
import type { Conversation } from "../../api/parley.js";
import type { Draft, Mode, People } from "../../drafts/drafts.js";
import { withTexts } from "../../i18n/i18n.js";
import { useKeys } from "../../keyboard/keys.js";
import { useOffers } from "../../keyboard/offers.js";
import { keysOf } from "../../keyboard/shortcuts.js";
import { AddressField } from "./address-field.js";
import { addressOf, isMailed, type Participant, participantsQuery } from "../../api/participants.js";

const QuoteChoice = withTexts(() => import("./quote-choice.js"));

interface Props {
  conversation: Conversation;
  mode: Mode;
  /** What the member chose. What is missing is as the server has it by default. */
  people: People | undefined;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  onChange: (part: Pick<Draft, "people"> | { mode: Mode }) => void;
  /** What stands beside the button that opens it. */
  children: ReactNode;
}

const MAX_SUBJECT = 500;

/** Whom a reply by mail goes to, under a quiet button. */
export function Recipients({ children, ...props }: Props): ReactNode {
  const { conversation, mode, isOpen, people, onOpen, onChange } = props;
  const field = useRef<HTMLInputElement>(null);
  const open = (): void => {
    flushSync(() => {
      onChange({ mode: "reply" });
      onOpen(true);
    });
    field.current?.focus();
  };
  const isMail = isMailed(conversation);
  useKeys(isMail ? { copy: open } : {});
  return (
    <>
      <div className="flex items-end pe-2">
        {children}
        {isMail && mode === "reply" && <CopyButton isOpen={isOpen} onTurn={(on) => (on ? open() : onOpen(false))} />}
      </div>
      {isMail && <Offered run={open} />}
      {isMail && mode === "reply" && (
        <Chosen
          conversation={conversation}
          people={people}
          isOpen={isOpen}
          onOpen={open}
          onChange={(next) => onChange({ people: next })}
          cc={field}
        />
      )}
    </>
  );
}

/** In the command palette. */
function Offered({ run }: { run: () => void }): ReactNode {
  const { t } = useTranslation();
  useOffers([{ id: "copy", group: "conversation", label: () => t("shortcuts.copy"), keys: keysOf("copy"), run }]);
  return null;
}

function CopyButton({ isOpen, onTurn }: { isOpen: boolean; onTurn: (on: boolean) => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-label={t("people.more")}
      title={t("people.more")}
      className="ms-auto h-7 rounded-md px-2 text-sm text-muted hover:bg-hover aria-expanded:bg-hover aria-expanded:text-text"
      onClick={() => onTurn(!isOpen)}
    >
      {t("people.cc")}
    </button>
  );
}

interface ChosenProps extends Pick<Props, "conversation" | "people" | "isOpen"> {
  onOpen: () => void;
  onChange: (people: People) => void;
  /** The field that the shortcut goes to. */
  cc: Ref<HTMLInputElement>;
}

/** Closed, it is one line, and that only if somebody besides the contact gets it. */
function Chosen({ conversation, people = {}, isOpen, onOpen, onChange, cc: ccField }: ChosenProps): ReactNode {
  const { t } = useTranslation();
  const subjectId = useId();
  const { data: contact } = useQuery(contactQuery(conversation.contactId));
  const { data: participants = [] } = useQuery(participantsQuery(conversation));
  const contactAddress = addressOf(conversation, contact);
  const contactName = displayNameOf(contact);
  const shownAs = (address: string): string | undefined =>
    address === contactAddress ? contactName : nameIn(participants, address);
  const to = people.to ?? (contactAddress === undefined ? [] : [contactAddress]);
  const cc = people.cc ?? participants.map(({ address }) => address).filter((address) => !to.includes(address));
  const bcc = people.bcc ?? [];
  const subject = people.subject ?? "";
  if (!isOpen)
    return (
      <Line
        named={[
          [t("people.to"), to],
          [t("people.cc"), cc],
          [t("people.bcc"), bcc],
        ]}
        isDefault={!cc.length && !bcc.length && !people.to && !subject && !people.quote}
        further={[subject, people.quote ? t("people.quoted", { quote: t(`people.quotes.${people.quote}`) }) : ""]}
        shownAs={shownAs}
        onOpen={onOpen}
      />
    );
  return (
    <div
      role="group"
      aria-label={t("people.recipients")}
      className="mx-3 mt-1 flex max-h-[40vh] flex-col gap-0.5 overflow-y-auto border-b border-line pb-1"
    >
      <AddressField
        label={t("people.to")}
        addresses={to}
        nameOf={shownAs}
        // Nobody at all would be the contact again.
        onChange={(next) => onChange({ ...people, to: next.length ? next : undefined })}
      />
      <AddressField
        label={t("people.cc")}
        addresses={cc}
        nameOf={shownAs}
        field={ccField}
        onChange={(next) => onChange({ ...people, cc: next })}
      />
      <AddressField label={t("people.bcc")} addresses={bcc} onChange={(next) => onChange({ ...people, bcc: next })} />
      <div className="flex items-center gap-2 text-sm">
        <label htmlFor={subjectId} className="w-14 shrink-0 text-muted">
          {t("people.subject")}
        </label>
        <input
          id={subjectId}
          dir="auto"
          maxLength={MAX_SUBJECT}
          value={subject}
          placeholder={conversation.subject ?? ""}
          className="h-7 min-w-0 flex-1 bg-transparent outline-none placeholder:text-muted"
          onChange={({ target: { value } }) => onChange({ ...people, subject: value || undefined })}
          onKeyDown={(event) => event.key === "Enter" && !event.metaKey && !event.ctrlKey && event.preventDefault()}
        />
      </div>
      <Suspense fallback={null}>
        <QuoteChoice conversation={conversation} people={people} onChange={(quote) => onChange({ ...people, quote })} />
      </Suspense>
    </div>
  );
}

function Line({
  named,
  isDefault,
  further,
  shownAs,
  onOpen,
}: {
  named: [label: string, addresses: string[]][];
  isDefault: boolean;
  /** What else was chosen, or nothing. */
  further: string[];
  shownAs: (address: string) => string | undefined;
  onOpen: () => void;
}): ReactNode {
  const { t } = useTranslation();
  if (isDefault) return null;
  const parts = named
    .filter(([, addresses]) => addresses.length)
    .map(([label, addresses]) => `${label} ${addresses.map((address) => shownAs(address) ?? address).join(", ")}`);
  parts.push(...further.filter(Boolean));
  return (
    <button
      type="button"
      dir="auto"
      aria-label={t("people.change", { people: parts.join(", ") })}
      className="mx-2 block max-w-[calc(100%-1rem)] truncate rounded px-1 py-0.5 text-start text-sm text-muted hover:bg-hover"
      onClick={onOpen}
    >
      {parts.join(" · ")}
    </button>
  );
}

const nameIn = (participants: readonly Participant[], given: string): string | undefined =>
  participants.find(({ address }) => address === given)?.name ?? undefined;
