import { ConflictError } from "@parley/sdk/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  ChevronDown,
  Fingerprint,
  Hash,
  Link2,
  type LucideIcon,
  MessageCircleQuestion,
  ShieldQuestion,
} from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { type Conversation, parley, type Schemas } from "../../api/parley.js";
import { contactQuery } from "../../api/contacts.js";
import { actionOf } from "../../keyboard/keys.js";
import { useOffers } from "../../keyboard/offers.js";
import { manages } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import { Button } from "../../ui/button.js";
import { Alert, Field, Select } from "../../ui/field.js";
import { FIRST_FIELD } from "../../ui/focus.js";

const METHODS = { question: MessageCircleQuestion, link: Link2, code: Hash, eid: Fingerprint, require: ShieldQuestion };
type Method = keyof typeof METHODS;

export interface Required {
  level: Schemas["RequiredAssuranceLevel"];
  purpose: string;
}

/** What can be done to prove more. Each says what it proves, and to whom. */
export function VerificationMethods({
  conversation,
  onRequired,
}: {
  conversation: Conversation;
  onRequired: (required: Required) => void;
}): ReactNode {
  const { t } = useTranslation();
  const { id, workspaceId } = conversation;
  const managing = manages(useMember());
  const [open, setOpen] = useState<Method>();
  // Only owners and admins may read which schemes there are.
  const { data: eid } = useQuery({
    queryKey: ["eid-schemes", workspaceId],
    queryFn: ({ signal }) => parley.eidSchemes.get(workspaceId, { signal }),
    enabled: managing && open !== undefined,
  });
  useOffers(
    (Object.keys(METHODS) as Method[])
      .filter((name) => name !== "eid" || managing)
      .map((name) => ({
        id: `method-${name}`,
        group: "conversation",
        label: () => t(`verification.method.${name}`),
        run: () => {
          actionOf("context")?.();
          setOpen(name);
        },
      })),
  );
  const method = (name: Method, form: ReactNode): ReactNode => (
    <OneMethod
      name={name}
      icon={METHODS[name]}
      isOpen={open === name}
      onTurn={() => setOpen(open === name ? undefined : name)}
    >
      {form}
    </OneMethod>
  );
  return (
    <ul aria-label={t("verification.methods")} className="-mx-2 flex flex-col">
      {method("question", <AskQuestion id={id} />)}
      {method("link", <SendLink conversation={conversation} />)}
      {method("code", <SendCode conversation={conversation} />)}
      {managing && method("eid", <RequestEid id={id} schemes={eid?.schemes} />)}
      {method(
        "require",
        <Require
          id={id}
          onRequired={(required) => {
            setOpen(undefined);
            onRequired(required);
          }}
        />,
      )}
    </ul>
  );
}

function OneMethod({
  name,
  icon: Icon,
  isOpen,
  onTurn,
  children,
}: {
  name: Method;
  icon: LucideIcon;
  isOpen: boolean;
  onTurn: () => void;
  children: ReactNode;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <li className={isOpen ? "rounded-md border border-line" : "border border-transparent"}>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onTurn}
        className="flex w-full items-center gap-2 rounded-md px-2 py-1 text-start hover:bg-hover"
      >
        <Icon size={14} aria-hidden="true" className="shrink-0 text-muted" />
        <span className="min-w-0 flex-1">{t(`verification.method.${name}`)}</span>
        <ChevronDown size={14} aria-hidden="true" className={`shrink-0 text-muted ${isOpen ? "rotate-180" : ""}`} />
      </button>
      {isOpen && (
        <div className="flex flex-col gap-2 px-2 pt-1 pb-2">
          <p className="text-muted">{t(`verification.proves.${name}`)}</p>
          {children}
        </div>
      )}
    </li>
  );
}

/** Reads again what a step changes, whether it succeeded or not: a wrong answer may have locked. */
function useReadAgain(id: string): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: ["assurance", id] });
}

const Done = ({ children }: { children: ReactNode }): ReactNode => (
  <p role="status" className="font-medium empty:hidden">
    {children}
  </p>
);

function AskQuestion({ id }: { id: string }): ReactNode {
  const { t } = useTranslation();
  const readAgain = useReadAgain(id);
  const [question, setQuestion] = useState<Schemas["AskedQuestion"]>();
  const check = useMutation({
    mutationFn: ({ questionId, answer }: Schemas["SubmitAnswer"]) =>
      parley.verification.submitAnswer(id, { questionId, answer }),
    onSuccess: () => setQuestion(undefined),
    onSettled: readAgain,
  });
  const ask = useMutation({
    mutationFn: () => parley.verification.askQuestions(id, { count: 1 }),
    onSuccess: ({ questions }) => {
      check.reset();
      setQuestion(questions[0]);
    },
    onError: () => setQuestion(undefined),
    onSettled: readAgain,
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const answer = (new FormData(event.currentTarget).get("answer") as string).trim();
    if (question && answer) check.mutate({ questionId: question.questionId, answer });
  };
  const error = check.error ?? ask.error;
  const next = (
    <Button small className="self-start" disabled={ask.isPending} onClick={() => ask.mutate()}>
      {t(check.data || check.error ? "verification.question.next" : "verification.question.get")}
    </Button>
  );
  return (
    <>
      <Done>
        {check.data &&
          t(check.data.result === "passed" ? "verification.question.right" : "verification.question.wrong", {
            count: check.data.remainingAttempts,
          })}
        {ask.data?.questions.length === 0 && t("verification.question.none")}
      </Done>
      {error && <Alert>{failureOf(error).sentence}</Alert>}
      {question ? (
        <form key={question.questionId} onSubmit={submit} className="flex flex-col gap-2">
          <blockquote dir="auto" className="border-s-2 border-accent ps-2 font-medium">
            {question.prompt}
          </blockquote>
          <Field
            label={t("verification.question.answer")}
            name="answer"
            maxLength={500}
            required
            {...FIRST_FIELD}
            autoComplete="off"
          />
          <div className="flex flex-wrap gap-2">
            <Button small type="submit" look="primary" disabled={check.isPending}>
              {t("verification.question.check")}
            </Button>
            {check.error && next}
          </div>
        </form>
      ) : (
        next
      )}
    </>
  );
}

/** The contact's addresses, verified ones first. */
function useAddresses({ contactId }: Conversation): { value: string; channel: Schemas["ProofChannel"] }[] | undefined {
  const { data: contact } = useQuery(contactQuery(contactId));
  if (!contact) return undefined;
  const of = (points: Schemas["ContactPoint"][], channel: Schemas["ProofChannel"]) =>
    points.map(({ value, verifiedAt }) => ({ value, channel, isVerified: verifiedAt !== null }));
  return [...of(contact.emails, "email"), ...of(contact.phones, "sms")].sort(
    (one, other) => Number(other.isVerified) - Number(one.isVerified),
  );
}

function Recipient({
  conversation,
  button,
  busy,
  onSend,
}: {
  conversation: Conversation;
  button: string;
  busy: boolean;
  onSend: (body: Schemas["SendMagicLink"]) => void;
}): ReactNode {
  const { t } = useTranslation();
  const addresses = useAddresses(conversation);
  if (addresses?.length === 0) return <Alert>{t("verification.noAddress")}</Alert>;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const to = new FormData(event.currentTarget).get("to") as string;
    const address = addresses?.find(({ value }) => value === to);
    if (address) onSend({ channel: address.channel, to });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-2">
      <Select label={t("verification.to")} name="to">
        {addresses?.map(({ value }) => (
          <option key={value} value={value}>
            {value}
          </option>
        ))}
      </Select>
      <Button small type="submit" look="primary" className="self-start" disabled={busy || !addresses}>
        {button}
      </Button>
    </form>
  );
}

function SendLink({ conversation }: { conversation: Conversation }): ReactNode {
  const { t } = useTranslation();
  const { id } = conversation;
  const send = useMutation({
    mutationFn: (body: Schemas["SendMagicLink"]) => parley.verification.sendMagicLink(id, body),
    onSettled: useReadAgain(id),
  });
  return (
    <>
      <Done>{send.data && t("verification.link.sent")}</Done>
      {send.error && <Alert>{failureOf(send.error).sentence}</Alert>}
      <Recipient
        conversation={conversation}
        button={t("verification.link.send")}
        busy={send.isPending}
        onSend={(body) => send.mutate(body)}
      />
    </>
  );
}

function SendCode({ conversation }: { conversation: Conversation }): ReactNode {
  const { t } = useTranslation();
  const { id } = conversation;
  const readAgain = useReadAgain(id);
  const check = useMutation({
    mutationFn: (body: Schemas["VerifyCode"]) => parley.verification.verifyCode(id, body),
    onSettled: readAgain,
  });
  const send = useMutation({
    mutationFn: (body: Schemas["SendCode"]) => parley.verification.sendCode(id, body),
    onSuccess: () => check.reset(),
    onSettled: readAgain,
  });
  const passed = check.data?.result === "passed";
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const code = (new FormData(event.currentTarget).get("code") as string).replace(/[\s-]/g, "");
    if (send.data) check.mutate({ codeId: send.data.codeId, code });
  };
  const error = check.error ?? send.error;
  return (
    <>
      <Done>
        {check.data
          ? t(passed ? "verification.code.right" : "verification.code.wrong", { count: check.data.remainingAttempts })
          : send.data && t("verification.code.sent")}
      </Done>
      {error && <Alert>{failureOf(error).sentence}</Alert>}
      {send.data && !passed && (
        <form onSubmit={submit} className="flex flex-col gap-2">
          <Field
            label={t("verification.code.code")}
            name="code"
            inputMode="numeric"
            pattern="[0-9][0-9 \-]{4,14}"
            required
            {...FIRST_FIELD}
            autoComplete="off"
          />
          <Button small type="submit" look="primary" className="self-start" disabled={check.isPending}>
            {t("verification.code.check")}
          </Button>
        </form>
      )}
      {(!send.data || !passed) && (
        <Recipient
          conversation={conversation}
          button={t(send.data ? "verification.code.again" : "verification.code.send")}
          busy={send.isPending}
          onSend={(body) => send.mutate(body)}
        />
      )}
    </>
  );
}

function RequestEid({ id, schemes }: { id: string; schemes: Schemas["EidScheme"][] | undefined }): ReactNode {
  const { t } = useTranslation();
  const request = useMutation({
    mutationFn: (body: Schemas["RequestEid"]) => parley.verification.requestEid(id, body),
    onSettled: useReadAgain(id),
  });
  if (schemes?.length === 0) return <Alert>{t("verification.eid.noScheme")}</Alert>;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    request.mutate({ scheme: form.get("scheme") as string, mode: form.get("mode") as Schemas["EidMode"] });
  };
  return (
    <>
      <Done>{request.data && t("verification.eid.asked")}</Done>
      {request.error && <Alert>{failureOf(request.error).sentence}</Alert>}
      <form onSubmit={submit} className="flex flex-col gap-2">
        <Select label={t("verification.eid.scheme")} name="scheme">
          {schemes?.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </Select>
        <Select label={t("verification.eid.mode")} name="mode">
          <option value="push">{t("verification.eid.push")}</option>
          <option value="link">{t("verification.eid.link")}</option>
        </Select>
        <Button small type="submit" look="primary" className="self-start" disabled={request.isPending || !schemes}>
          {t("verification.eid.ask")}
        </Button>
      </form>
    </>
  );
}

/** The server's sentence for a level that is not reached. Any other refusal has another reason. */
const NOT_REACHED = "This needs the assurance level";

function Require({ id, onRequired }: { id: string; onRequired: (required: Required) => void }): ReactNode {
  const { t } = useTranslation();
  const readAgain = useReadAgain(id);
  const require = useMutation({
    mutationFn: (body: Required) => parley.verification.require(id, body),
    onSuccess: (_, body) => onRequired(body),
    onError: (error, body) => {
      if (error instanceof ConflictError && error.message.startsWith(NOT_REACHED)) onRequired(body);
    },
    onSettled: readAgain,
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const purpose = (form.get("purpose") as string).trim();
    if (purpose) require.mutate({ level: form.get("level") as Required["level"], purpose });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-2">
      <Select label={t("verification.require.level")} name="level">
        <option value="identified">{t("context.level.identified")}</option>
        <option value="high-assurance">{t("context.level.high-assurance")}</option>
      </Select>
      <Field
        label={t("verification.require.purpose")}
        hint={t("verification.require.purposeHint")}
        name="purpose"
        required
        maxLength={200}
        autoComplete="off"
      />
      {require.error && <Alert>{failureOf(require.error).sentence}</Alert>}
      <Button small type="submit" look="primary" className="self-start" disabled={require.isPending}>
        {t("verification.require.button")}
      </Button>
    </form>
  );
}
