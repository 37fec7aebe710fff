import { useEffect } from "react";
import { useLatest } from "./latest.js";

/** An action of the command palette alone, for what has no key. */
export interface Offer {
  /** Names it among those that are offered at the same time. */
  id: string;
  group: "conversation" | "list";
  /** Its texts may not be loaded before the palette is. */
  label: () => string;
  keys?: readonly string[];
  run: () => void;
}

const offered: { current: readonly Offer[] }[] = [];

/** What the components on the page offer now. */
export const offersNow = (): Offer[] => offered.flatMap(({ current }) => current);

/** Offers actions in the command palette while the component is on the page. */
export function useOffers(offers: readonly Offer[]): void {
  const latest = useLatest(offers);
  useEffect(() => {
    offered.push(latest);
    return () => void offered.splice(offered.indexOf(latest), 1);
  }, [latest]);
}
