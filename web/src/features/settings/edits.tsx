import { useMutation } from "@tanstack/react-query";
import type { FormEvent, ReactNode, RefObject } from "react";
import { useTranslation } from "react-i18next";
import { failureOf, spoken } from "../../api/failure.js";
import { Alert, Field } from "../../ui/field.js";
import { useWrongFocus } from "../../ui/focus.js";
import { Save } from "../../ui/save.js";
import { toast } from "../../ui/toasts.js";
import { useTouched } from "../../ui/touched.js";

const sentencesOf = (error: unknown): string[] =>
  (failureOf(error).said ?? []).map((one) => one.replace(/\b(?:each value in|All) /, ""));
const isAbout = (sentence: string, path: string): boolean =>
  sentence.startsWith(path) && !/^[\w.]/.test(sentence.slice(path.length));

/** What the server said about a field, without the field's name. */
export function refusalOf(error: unknown, path: string): string | undefined {
  const found = error ? sentencesOf(error).find((sentence) => isAbout(sentence, path)) : undefined;
  if (found === undefined) return undefined;
  const rest = found.slice(path.length).replace(/^[^\s:]*:?\s*/, "");
  return spoken(rest, (words) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`);
}

/** What the server said about none of these fields. */
export function otherRefusal(error: unknown, paths: readonly string[]): string | undefined {
  if (!error) return undefined;
  const { said, sentence } = failureOf(error);
  if (!said) return sentence;
  const rest = sentencesOf(error).filter((one) => !paths.some((path) => isAbout(one, path)));
  return spoken(rest.join("; ")) || undefined;
}

interface Options<Draft, Saved> {
  /** What the server has, as the form shows it. */
  now: Draft;
  /** The fields that the form has, as the server names them. */
  fields: readonly string[];
  /** Sends what was edited. */
  send: (changes: Partial<Draft>, draft: Draft) => Promise<Saved>;
  onSaved: (saved: Saved) => void;
}

export interface Edits<Draft> {
  draft: Draft;
  edit: (change: Partial<Draft>) => void;
  /** What is wrong with a field: your words for it, or else the server's. */
  wrong: (path: string, words?: string) => string | undefined;
  form: { ref: RefObject<HTMLFormElement | null>; onSubmit: (event: FormEvent) => void; noValidate: true };
  /** Comes last in the form. */
  end: ReactNode;
}

/** A form over settings. Only what somebody touched differs from what the server has, so a colleague's change of the rest stays. */
export function useEdits<Draft extends object, Saved>({
  now,
  fields,
  send,
  onSaved,
}: Options<Draft, Saved>): Edits<Draft> {
  const { t } = useTranslation();
  const { draft, changes, isEdited, edit, saved: forget, discard } = useTouched(now);
  const save = useMutation({
    mutationFn: (sent: Partial<Draft>) => send(sent, { ...now, ...sent }),
    onSuccess: (saved, sent) => {
      onSaved(saved);
      forget(sent);
      toast(t("settings.saved"));
    },
  });
  const other = otherRefusal(save.error, fields);
  return {
    draft,
    edit,
    wrong: (path, words) => {
      const said = refusalOf(save.error, path);
      return said && (words ?? said);
    },
    form: {
      ref: useWrongFocus(save.error),
      onSubmit: (event) => {
        event.preventDefault();
        if (isEdited && !save.isPending) save.mutate(changes);
      },
      noValidate: true,
    },
    end: (
      <>
        {other !== undefined && <Alert>{other}</Alert>}
        <Save
          isEdited={isEdited}
          isSaving={save.isPending}
          onDiscard={() => {
            discard();
            save.reset();
          }}
        />
      </>
    ),
  };
}

/** A field for a whole number, with what it may be. */
export function NumberField<Draft extends Record<Key, string>, Key extends keyof Draft & string>({
  edits: { draft, edit, wrong },
  name,
  path = name,
  label,
  hint,
  min,
  max,
}: {
  edits: Pick<Edits<Draft>, "draft" | "edit" | "wrong">;
  name: Key;
  /** How the server names it, if not like that. */
  path?: string;
  label: string;
  hint: string;
  min: number;
  max: number;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <Field
      label={label}
      hint={hint}
      type="number"
      inputMode="numeric"
      min={min}
      max={max}
      step={1}
      value={draft[name]}
      error={wrong(path, t("setup.number", { min, max }))}
      onChange={({ target }) => edit({ [name]: target.value } as Partial<Draft>)}
    />
  );
}

/** A typed number; null, which the server refuses, if there is none. */
/** What is stored, and what a form begins with where nothing is. */
export const orDefaults = <Draft extends object>(
  stored: { [Name in keyof Draft]?: Draft[Name] | null } | undefined,
  defaults: Draft,
): Draft =>
  Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, stored?.[name as keyof Draft] ?? (value as unknown)]),
  ) as Draft;

export const numberOf = (text: string): number => (text.trim() === "" ? NaN : Number(text));

export const PERCENT = 100;
/** A share, such as 0.125, as it is typed: 12.5. */
export const percentOf = (share: number): string => String(Number((share * PERCENT).toFixed(4)));
