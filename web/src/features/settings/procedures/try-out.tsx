import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../../api/failure.js";
import { parley, type Schemas } from "../../../api/parley.js";
import { Button } from "../../../ui/button.js";
import { Part } from "../../../ui/detail-page.js";
import { Alert, Field, Select } from "../../../ui/field.js";
import { TextArea } from "../../../ui/text-area.js";
import { read } from "./draft.js";
import type { Procedure, Step } from "./queries.js";

const LEVELS = ["none", "identified", "high-assurance"] as const;

/** Plays what a contact would write. Nothing is sent or called: the answers of tools are typed. */
export function TryOut({
  procedure,
  steps,
}: {
  procedure: Procedure | undefined;
  /** As they are typed. Undefined: they cannot be read. */
  steps: () => Step[] | undefined;
}): ReactNode {
  const { t } = useTranslation();
  const [messages, setMessages] = useState<string[]>([]);
  const [text, setText] = useState("");
  const [results, setResults] = useState("{}");
  const [level, setLevel] = useState<(typeof LEVELS)[number]>("none");
  const given = read(results);
  const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
  const play = useMutation({
    mutationFn: ({ id, body }: { id: string; body: Schemas["TryProcedure"] }) => parley.procedures.try(id, body),
  });
  const again = (all: string[], proven = level): void => {
    setMessages(all);
    const typed = steps();
    if (procedure && typed && isObject && all.length)
      play.mutate({
        id: procedure.id,
        body: { messages: all, results: given as Record<string, never>, level: proven, steps: typed },
      });
    else play.reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!text.trim()) return;
    again([...messages, text.trim()]);
    setText("");
  };
  const tried = play.data;
  const waitsAt = play.variables?.body.steps?.find(({ id }) => id === tried?.waitsAt);
  return (
    <Part title={t("procedures.try.title")}>
      <p className="text-muted">{t(procedure ? "procedures.try.explain" : "procedures.try.saveFirst")}</p>
      {procedure && (
        <>
          <Select
            label={t("procedures.try.level")}
            value={level}
            onChange={({ target }) => {
              const proven = target.value as (typeof LEVELS)[number];
              setLevel(proven);
              again(messages, proven);
            }}
          >
            {LEVELS.map((one) => (
              <option key={one} value={one}>
                {t(`procedures.levels.${one}`)}
              </option>
            ))}
          </Select>
          <TextArea
            label={t("procedures.try.results")}
            hint={t("procedures.try.resultsHint")}
            value={results}
            dir="ltr"
            rows={3}
            spellCheck={false}
            error={isObject ? undefined : t("policy.notJson")}
            onChange={({ target }) => setResults(target.value)}
          />
          <div role="log" aria-label={t("procedures.try.title")} className="flex flex-col gap-2">
            {tried?.turns.map((turn, n) => (
              <div key={n} className="flex flex-col gap-1">
                <p dir="auto" className="max-w-[85%] self-start rounded-lg bg-hover px-3 py-2 wrap-anywhere">
                  {turn.message}
                </p>
                {turn.calls.map((call) => (
                  <p
                    key={`${call.step} ${JSON.stringify(call.arguments)}`}
                    className="font-mono text-sm wrap-anywhere text-muted"
                  >
                    {call.tool} {JSON.stringify(call.arguments)}
                  </p>
                ))}
                {turn.says !== null && (
                  <p
                    dir="auto"
                    className="max-w-[85%] self-end rounded-lg border border-line px-3 py-2 wrap-anywhere whitespace-pre-wrap"
                  >
                    {turn.says}
                  </p>
                )}
                <p className="text-sm text-muted">
                  {turn.did.map(({ step, did }) => `${step}: ${t(`procedures.did.${did}`)}`).join(" · ")}
                </p>
              </div>
            ))}
            {waitsAt?.type === "require_level" && <p className="text-warn">{t("procedures.try.needsProof")}</p>}
            {tried?.ending && <p className="font-medium">{t(`procedures.try.ending.${tried.ending}`)}</p>}
            {tried?.reason && <p className="text-muted">{tried.reason}</p>}
          </div>
          {play.error && <Alert>{failureOf(play.error).sentence}</Alert>}
          <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
            <Field
              className="min-w-40 flex-1"
              label={t("procedures.try.message")}
              value={text}
              dir="auto"
              maxLength={2000}
              autoComplete="off"
              onChange={({ target }) => setText(target.value)}
            />
            <Button look="primary" type="submit" disabled={play.isPending}>
              {t("procedures.try.send")}
            </Button>
            <Button disabled={!messages.length} onClick={() => again([])}>
              {t("procedures.try.restart")}
            </Button>
          </form>
        </>
      )}
    </Part>
  );
}
