import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { type FormEvent, lazy, type ReactNode, Suspense, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { parley } from "../../../api/parley.js";
import { Button } from "../../../ui/button.js";
import { Part } from "../../../ui/detail-page.js";
import { Alert, Field, Select } from "../../../ui/field.js";
import { useFirstFocus, useWrongFocus } from "../../../ui/focus.js";
import { TextArea } from "../../../ui/text-area.js";
import { toast } from "../../../ui/toasts.js";
import { useUnsaved } from "../../../ui/unsaved.js";
import { otherRefusal, refusalOf } from "../edits.js";
import { toolsQuery } from "../workspaces/queries.js";
import { type DraftStep, draftOf, newStep, stepOf } from "./draft.js";
import { PickEntries } from "./pick-entries.js";
import type { Procedure, Step } from "./queries.js";
import { StepCard } from "./step-card.js";
import { TryOut } from "./try-out.js";

const Rehearsal = lazy(() => import("../../rehearsal/rehearsal.js"));

const TYPES: Step["type"][] = ["ask", "say", "require_level", "call", "confirm", "branch", "hand_over", "end"];
const FIELDS = ["name"] as const;
/** As the server has it. */
const MAX_ENTRIES = 20;

/** One a line. Each has several words. */
const phrasesIn = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** A procedure, with its steps as cards, and beside it a try-out. */
export function Editor({
  workspaceId,
  procedure,
  onSaved,
  onClose,
}: {
  workspaceId: string;
  procedure: Procedure | undefined;
  onSaved: (procedure: Procedure) => void;
  onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const first = useFirstFocus<HTMLInputElement>(true);
  const tools = useInfiniteQuery(toolsQuery(workspaceId));
  const [name, setName] = useState(procedure?.name ?? "");
  const [status, setStatus] = useState<Procedure["status"]>(procedure?.status ?? "draft");
  const [phrases, setPhrases] = useState((procedure?.startsWith.phrases ?? []).join("\n"));
  const [entries, setEntries] = useState(procedure?.startsWith.entries ?? []);
  const [steps, setSteps] = useState<DraftStep[]>(() => (procedure?.steps ?? []).map(draftOf));
  const [adds, setAdds] = useState<Step["type"]>("ask");
  const [isNoJson, setNoJson] = useState(false);
  const [said, setSaid] = useState("");
  const list = useRef<HTMLOListElement>(null);
  const focus = useRef<{ key: number; part: string }>(undefined);
  // What moves in the page loses the focus, and what is removed takes it along.
  useLayoutEffect(() => {
    if (!focus.current) return;
    const { key, part } = focus.current;
    focus.current = undefined;
    list.current?.querySelector<HTMLElement>(`[data-step="${key}"] [data-part="${part}"]`)?.focus();
  });
  /** What the form has, and what of it is saved. It stays open after that. */
  const typedNow = JSON.stringify([name, status, phrases, entries, steps]);
  const [kept, setKept] = useState(typedNow);
  const all = (): Step[] | undefined => {
    const read = steps.map(stepOf);
    return read.every((step) => step !== undefined) ? read : undefined;
  };
  const save = useMutation({
    mutationFn: ({ sent }: { sent: Step[]; typed: string }) => {
      const body = { name: name.trim(), status, startsWith: { phrases: phrasesIn(phrases), entries } };
      return procedure
        ? parley.procedures.update(procedure.id, { ...body, steps: sent })
        : parley.procedures.create(workspaceId, { ...body, steps: sent });
    },
    onSuccess: (saved, { typed }) => {
      setKept(typed);
      toast(t("settings.saved"));
      onSaved(saved);
    },
  });
  const form = useWrongFocus(save.error);
  const question = useUnsaved(typedNow !== kept);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const sent = all();
    setNoJson(sent === undefined);
    if (sent) save.mutate({ sent, typed: typedNow });
  };
  const move = (n: number, by: 1 | -1): void => {
    const moved = steps[n]!;
    const next = steps.filter((_, i) => i !== n);
    next.splice(n + by, 0, moved);
    setSteps(next);
    const isEnd = n + by === 0 || n + by === steps.length - 1;
    focus.current = { key: moved.key, part: isEnd ? (by < 0 ? "down" : "up") : by < 0 ? "up" : "down" };
    setSaid(t("procedures.moved", { id: moved.step.id, place: n + by + 1, count: steps.length }));
  };
  const remove = (n: number): void => {
    const next = steps.filter((_, i) => i !== n);
    setSteps(next);
    const near = next[Math.min(n, next.length - 1)];
    if (near) focus.current = { key: near.key, part: "id" };
    setSaid(t("procedures.gone", { id: steps[n]!.step.id }));
  };
  const add = (): void => {
    const added = newStep(
      adds,
      steps.map(({ step }) => step.id),
    );
    setSteps([...steps, added]);
    focus.current = { key: added.key, part: "id" };
  };
  const other = otherRefusal(save.error, FIELDS);
  const names = tools.data?.pages.flatMap(({ data }) => data.map((tool) => tool.name)) ?? [];
  return (
    <div className="grid grid-cols-1 items-start gap-8 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Part
        title={procedure?.name ?? t("procedures.add")}
        action={
          <Button small onClick={onClose}>
            {t("procedures.back")}
          </Button>
        }
      >
        <form ref={form} noValidate onSubmit={submit} className="flex flex-col gap-4">
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <Field
              ref={first}
              label={t("procedures.name")}
              value={name}
              dir="auto"
              maxLength={100}
              autoComplete="off"
              error={refusalOf(save.error, "name")}
              onChange={({ target }) => setName(target.value)}
            />
            <Select
              label={t("procedures.state")}
              hint={t(`procedures.statusMeaning.${status}`)}
              value={status}
              onChange={({ target }) => setStatus(target.value as Procedure["status"])}
            >
              {(["draft", "active", "paused"] as const).map((one) => (
                <option key={one} value={one}>
                  {t(`procedures.status.${one}`)}
                </option>
              ))}
            </Select>
          </div>
          <TextArea
            label={t("procedures.phrases")}
            hint={t("procedures.phrasesHint")}
            value={phrases}
            dir="auto"
            onChange={({ target }) => setPhrases(target.value)}
          />
          <PickEntries
            workspaceId={workspaceId}
            label={t("procedures.entries")}
            hint={t("procedures.entriesHint")}
            ids={entries}
            most={MAX_ENTRIES}
            onChange={setEntries}
          />
          <h3 className="font-semibold">{t("procedures.stepsTitle")}</h3>
          <p className="text-sm text-muted">{t("procedures.stepsHint")}</p>
          <p role="status" className="sr-only">
            {said}
          </p>
          <ol ref={list} className="flex flex-col gap-3">
            {steps.map((step, n) => (
              <StepCard
                key={step.key}
                workspaceId={workspaceId}
                draft={step}
                place={n + 1}
                count={steps.length}
                ids={steps.map((one) => one.step.id)}
                tools={names}
                onChange={(next) => setSteps(steps.map((one, i) => (i === n ? next : one)))}
                onMove={(by) => move(n, by)}
                onRemove={() => remove(n)}
              />
            ))}
          </ol>
          <div className="flex flex-wrap items-end gap-3">
            <Select
              label={t("procedures.newStep")}
              value={adds}
              onChange={({ target }) => setAdds(target.value as Step["type"])}
            >
              {TYPES.map((type) => (
                <option key={type} value={type}>
                  {t(`procedures.types.${type}`)}
                </option>
              ))}
            </Select>
            <Button onClick={add} disabled={steps.length >= 50}>
              {t("procedures.addStep")}
            </Button>
          </div>
          {isNoJson && <Alert>{t("policy.notJson")}</Alert>}
          {other !== undefined && <Alert>{other}</Alert>}
          <div className="flex gap-2">
            <Button look="primary" type="submit" disabled={save.isPending}>
              {t("common.save")}
            </Button>
            <Button onClick={onClose}>{t("common.cancel")}</Button>
          </div>
        </form>
        {question}
      </Part>
      {/* It stays in sight while the steps are scrolled. What is larger than the window scrolls in itself. */}
      <div className="flex flex-col gap-8 xl:sticky xl:top-6 xl:-m-2 xl:max-h-[calc(100dvh-6rem)] xl:overflow-y-auto xl:p-2">
        <TryOut procedure={procedure} steps={all} />
        <Suspense>
          <Rehearsal
            workspaceId={workspaceId}
            draft={() => {
              const typed = all();
              const startsWith = { phrases: phrasesIn(phrases), entries };
              const changed = {
                ...(procedure && { procedureId: procedure.id }),
                name: name.trim(),
                status,
                startsWith,
              };
              return typed?.length ? { procedures: [{ ...changed, steps: typed }] } : undefined;
            }}
          />
        </Suspense>
      </div>
    </div>
  );
}
