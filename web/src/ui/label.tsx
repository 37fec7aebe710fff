import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useCallback } from "react";
import { type Label, labelsQuery } from "../api/queries.js";

/** A spot in the colour of a label: see `label-dot` in tokens.css. */
export const Dot = ({ colour = "gray" }: { colour?: Label["colour"] | undefined }): ReactNode => (
  <span aria-hidden="true" data-colour={colour} className="label-dot size-2 shrink-0 rounded-full" />
);

export type ColourOf = (name: string) => Label["colour"] | undefined;
/** The colour of a label. One that nobody has defined is grey. */
export function useColours(): ColourOf {
  const { data: labels } = useQuery(labelsQuery());
  return useCallback((name) => labels?.find((label) => label.name === name)?.colour, [labels]);
}

const MAX_DOTS = 4;
/** The labels of a row: a dot each, and their names for screen readers and beside the pointer. */
export function LabelDots({ names, colourOf }: { names: readonly string[]; colourOf: ColourOf }): ReactNode {
  if (names.length === 0) return null;
  return (
    <span title={names.join(", ")} className="flex shrink-0 gap-0.5">
      <span className="sr-only">{names.join(", ")}</span>
      {names.slice(0, MAX_DOTS).map((name) => (
        <Dot key={name} colour={colourOf(name)} />
      ))}
    </span>
  );
}

/** Labels with their names. */
export function LabelChips({ names }: { names: readonly string[] }): ReactNode {
  const colourOf = useColours();
  return names.map((name) => (
    <span
      key={name}
      className="inline-flex max-w-48 items-center gap-1.5 rounded-full border border-line px-2 text-xs leading-5"
    >
      <Dot colour={colourOf(name)} />
      <bdi className="truncate">{name}</bdi>
    </span>
  ));
}
