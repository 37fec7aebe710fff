import { useRef, useState } from "react";

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
/** The fields of a draft whose values differ from these. */
const differing = <Draft extends object>(draft: Partial<Draft>, from: Partial<Draft>): Partial<Draft> =>
  Object.fromEntries(
    Object.entries(draft).filter(([field, value]) => !isSame(value, from[field as keyof Draft])),
  ) as Partial<Draft>;

export interface Touched<Draft> {
  draft: Draft;
  /** What somebody typed that the server does not have. */
  changes: Partial<Draft>;
  isEdited: boolean;
  edit: (change: Partial<Draft>) => void;
  /** Once the server has it. What was typed meanwhile stays. @returns whether there is any */
  saved: (sent: Partial<Draft>) => boolean;
  discard: () => void;
}

/**
 * The fields of a form that changes something.
 * Only what somebody touched differs from what the server has, so a colleague's change of the rest stays.
 * @param now what the server has, as the form shows it
 */
export function useTouched<Draft extends object>(now: Draft): Touched<Draft> {
  const [touched, setTouched] = useState<Partial<Draft>>({});
  // Two letters may be typed before the form is drawn again, and what is saved ends between two drawings.
  const latest = useRef(touched);
  const set = (next: Partial<Draft>): void => {
    latest.current = next;
    setTouched(next);
  };
  const changes = differing(touched, now);
  return {
    draft: { ...now, ...touched },
    changes,
    isEdited: Object.keys(changes).length > 0,
    edit: (change) => set({ ...latest.current, ...change }),
    saved: (sent) => {
      set(differing(latest.current, sent));
      return Object.keys(latest.current).length > 0;
    },
    discard: () => set({}),
  };
}
