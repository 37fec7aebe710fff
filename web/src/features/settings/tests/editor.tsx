import { PlayedOutcome } from "@parley/sdk/enums";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { parley } from "../../../api/parley.js";
import { QUIET_MS } from "../../../api/paged.js";
import { Button } from "../../../ui/button.js";
import { Part } from "../../../ui/detail-page.js";
import { Alert, Field, Select } from "../../../ui/field.js";
import { useFirstFocus, useWrongFocus } from "../../../ui/focus.js";
import { Submit } from "../../../ui/submit.js";
import { TextArea } from "../../../ui/text-area.js";
import { toast } from "../../../ui/toasts.js";
import { useUnsavedInput } from "../../../ui/unsaved.js";
import { otherRefusal, refusalOf } from "../edits.js";
import type { AssistantTest, TestTurn } from "../../rehearsal/queries.js";

const FIELDS = ["name"] as const;
const LEVELS = ["none", "identified", "high-assurance"] as const;
const MAX_TURNS = 20;
const MAX_HITS = 8;
const ANYTHING: TestTurn["expect"] = { outcome: null, kbEntryIds: [], tool: null, contains: null };

interface Typed {
  key: number;
  turn: TestTurn;
}
interface Answer {
  key: number;
  tool: string;
  /** JSON. */
  answer: string;
}
let keys = 0;

/** A test: what the customer says, turn by turn, and what must follow. */
export function Editor({
  workspaceId,
  test,
  onSaved,
  onClose,
}: {
  workspaceId: string;
  test: AssistantTest | undefined;
  onSaved: () => void;
  onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const first = useFirstFocus<HTMLInputElement>(true);
  const [name, setName] = useState(test?.name ?? "");
  const [level, setLevel] = useState<(typeof LEVELS)[number]>(test?.assuranceLevel ?? "none");
  const [turns, setTurns] = useState<Typed[]>(() =>
    (test?.turns ?? [{ says: "", expect: ANYTHING }]).map((turn) => ({ key: keys++, turn })),
  );
  const [answers, setAnswers] = useState<Answer[]>(() =>
    (test?.toolAnswers ?? []).map(({ tool, answer }) => ({ key: keys++, tool, answer: JSON.stringify(answer) })),
  );
  const [isNoJson, setNoJson] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  const focus = useRef<number>(undefined);
  // What is removed takes the focus along, and what is added gets it.
  useLayoutEffect(() => {
    if (focus.current === undefined) return;
    list.current?.querySelector<HTMLElement>(`[data-turn="${focus.current}"] textarea`)?.focus();
    focus.current = undefined;
  });
  const save = useMutation({
    mutationFn: (toolAnswers: AssistantTest["toolAnswers"]) => {
      const body = { name: name.trim(), assuranceLevel: level, turns: turns.map(({ turn }) => turn), toolAnswers };
      return test ? parley.assistantTests.update(test.id, body) : parley.assistantTests.create(workspaceId, body);
    },
    onSuccess: () => {
      toast(t("settings.saved"));
      onSaved();
    },
  });
  const form = useWrongFocus(save.error);
  const { onInput, question } = useUnsavedInput(save.isSuccess);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const read = answersOf(answers);
    setNoJson(!read);
    if (read) save.mutate(read);
  };
  const change = (key: number, turn: TestTurn): void =>
    setTurns(turns.map((one) => (one.key === key ? { key, turn } : one)));
  const remove = (n: number): void => {
    const next = turns.filter((_, i) => i !== n);
    focus.current = next[Math.min(n, next.length - 1)]?.key;
    setTurns(next);
  };
  const add = (): void => {
    focus.current = keys;
    setTurns([...turns, { key: keys++, turn: { says: "", expect: ANYTHING } }]);
  };
  const other = otherRefusal(save.error, FIELDS);
  return (
    <Part
      title={test?.name ?? t("tests.add")}
      action={
        <Button small onClick={onClose}>
          {t("tests.back")}
        </Button>
      }
    >
      <form ref={form} noValidate onInput={onInput} onSubmit={submit} className="flex flex-col gap-4">
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <Field
            ref={first}
            label={t("tests.name")}
            value={name}
            dir="auto"
            maxLength={100}
            autoComplete="off"
            error={refusalOf(save.error, "name")}
            onChange={({ target }) => setName(target.value)}
          />
          <Select
            label={t("procedures.try.level")}
            value={level}
            onChange={({ target }) => setLevel(target.value as (typeof LEVELS)[number])}
          >
            {LEVELS.map((one) => (
              <option key={one} value={one}>
                {t(`procedures.levels.${one}`)}
              </option>
            ))}
          </Select>
        </div>
        <ol ref={list} aria-label={t("tests.turnsTitle")} className="flex flex-col gap-3">
          {turns.map(({ key, turn }, n) => (
            <li key={key} data-turn={key} aria-label={t("tests.nth", { place: n + 1 })}>
              <Turn
                workspaceId={workspaceId}
                place={n + 1}
                turn={turn}
                onChange={(changed) => change(key, changed)}
                onRemove={turns.length > 1 ? () => remove(n) : undefined}
              />
            </li>
          ))}
        </ol>
        <div>
          <Button small disabled={turns.length >= MAX_TURNS} onClick={add}>
            {t("tests.addTurn")}
          </Button>
        </div>
        <Answers answers={answers} onChange={setAnswers} isNoJson={isNoJson} />
        {other && <Alert>{other}</Alert>}
        <div className="flex gap-2">
          <Submit isBusy={save.isPending}>{t("common.save")}</Submit>
        </div>
      </form>
      {question}
    </Part>
  );
}

function Turn({
  workspaceId,
  place,
  turn: { says, expect },
  onChange,
  onRemove,
}: {
  workspaceId: string;
  place: number;
  turn: TestTurn;
  onChange: (turn: TestTurn) => void;
  onRemove: (() => void) | undefined;
}): ReactNode {
  const { t } = useTranslation();
  const [asked, setAsked] = useState(says);
  const { data: found } = useQuery({
    queryKey: ["knowledge", "expected", workspaceId, asked],
    queryFn: ({ signal }) =>
      parley.kbEntries.search(workspaceId, { q: asked, limit: MAX_HITS }, { signal }).then((page) => page.data),
    enabled: asked.trim() !== "",
    staleTime: QUIET_MS,
  });
  const [entryId = ""] = expect.kbEntryIds;
  const entries = (found ?? []).map(({ entry }) => entry);
  const expected = (changed: Partial<TestTurn["expect"]>): void =>
    onChange({ says, expect: { ...expect, ...changed } });
  return (
    <div className="flex flex-col gap-3 rounded-lg border border-line p-3">
      <div className="flex items-center justify-between gap-2">
        <h3 className="font-medium">{t("tests.nth", { place })}</h3>
        {onRemove && (
          <Button small look="danger" onClick={onRemove}>
            {t("lists.remove")}
          </Button>
        )}
      </div>
      <TextArea
        label={t("tests.says")}
        value={says}
        dir="auto"
        rows={2}
        maxLength={2_000}
        onChange={({ target }) => onChange({ says: target.value, expect })}
        onBlur={() => setAsked(says)}
      />
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <Select
          label={t("tests.expect.outcome")}
          value={expect.outcome ?? ""}
          onChange={({ target }) => expected({ outcome: PlayedOutcome.find((one) => one === target.value) ?? null })}
        >
          <option value="">{t("tests.expect.any")}</option>
          {PlayedOutcome.map((one) => (
            <option key={one} value={one}>
              {t(`tests.outcome.${one}`)}
            </option>
          ))}
        </Select>
        <Select
          label={t("tests.expect.entry")}
          hint={t("tests.expect.entryHint")}
          value={entryId}
          onChange={({ target }) => expected({ kbEntryIds: target.value ? [target.value] : [] })}
        >
          <option value="">{t("tests.expect.any")}</option>
          {entryId && !entries.some(({ id }) => id === entryId) && <option value={entryId}>{entryId}</option>}
          {entries.map(({ id, question }) => (
            <option key={id} value={id}>
              {question}
            </option>
          ))}
        </Select>
        <Field
          label={t("tests.expect.contains")}
          value={expect.contains ?? ""}
          dir="auto"
          maxLength={200}
          autoComplete="off"
          onChange={({ target }) => expected({ contains: target.value || null })}
        />
        <Field
          label={t("tests.expect.tool")}
          value={expect.tool ?? ""}
          dir="ltr"
          maxLength={100}
          autoComplete="off"
          onChange={({ target }) => expected({ tool: target.value || null })}
        />
      </div>
    </div>
  );
}

/** What the tools answer: a test calls none. */
function Answers({
  answers,
  onChange,
  isNoJson,
}: {
  answers: readonly Answer[];
  onChange: (answers: Answer[]) => void;
  isNoJson: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const change = (key: number, changed: Partial<Answer>): void =>
    onChange(answers.map((one) => (one.key === key ? { ...one, ...changed } : one)));
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1 font-medium">{t("tests.answers")}</legend>
      <p className="text-sm text-muted">{t("tests.answersHint")}</p>
      {answers.map(({ key, tool, answer }) => (
        <div key={key} className="grid items-start gap-3 sm:grid-cols-2">
          <Field
            label={t("tests.expect.tool")}
            value={tool}
            dir="ltr"
            maxLength={100}
            autoComplete="off"
            onChange={({ target }) => change(key, { tool: target.value })}
          />
          <TextArea
            label={t("tests.answer")}
            value={answer}
            dir="ltr"
            rows={2}
            spellCheck={false}
            error={isNoJson && jsonOf(answer) === undefined ? t("policy.notJson") : undefined}
            onChange={({ target }) => change(key, { answer: target.value })}
          />
        </div>
      ))}
      <div className="flex gap-2">
        <Button small onClick={() => onChange([...answers, { key: keys++, tool: "", answer: "{}" }])}>
          {t("tests.addAnswer")}
        </Button>
        {answers.length > 0 && (
          <Button small look="danger" onClick={() => onChange(answers.slice(0, -1))}>
            {t("tests.removeAnswer")}
          </Button>
        )}
      </div>
    </fieldset>
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Undefined: one of them is no JSON. */
function answersOf(answers: readonly Answer[]): AssistantTest["toolAnswers"] | undefined {
  const read = answers.map(({ tool, answer }) => ({ tool, answer: jsonOf(answer) }));
  return read.every(({ answer }) => answer !== undefined) ? (read as AssistantTest["toolAnswers"]) : undefined;
}
