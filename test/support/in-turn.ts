import { ALL_FILES } from "./sweep.js";

/**
 * Some of the items for each turn, and others for the next: every `few`th in `npm test`, every `whole`th in CI, and all in a
 * hunt. For what the same code refuses on all routes: each route meets some of it, and all of it is tried on many routes.
 */
export function inTurn<T>(items: readonly T[], { few, whole }: { few: number; whole: number }, turn: number): T[] {
  const nth = process.env.HUNT ? 1 : ALL_FILES ? whole : few;
  return items.filter((_, i) => (i + turn) % nth === 0);
}
