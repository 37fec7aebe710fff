import type { Page } from "playwright-core";

const STILL = `new Promise((resolve) => {
  let pictures = 0;
  const changed = () => (pictures = 0);
  const observer = new MutationObserver(changed);
  const roots = [document, ...[...document.querySelectorAll("*")].flatMap(({ shadowRoot }) => shadowRoot ?? [])];
  for (const root of roots) {
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    root.addEventListener("scroll", changed, true);
  }
  // What goes with a scroll position runs for ever.
  const isMoving = ({ effect, playState, timeline }) =>
    playState === "running" && timeline === document.timeline && effect.getComputedTiming().endTime !== Infinity;
  const isBusy = () =>
    document.querySelector("[role=status][aria-label=Loading]") !== null ||
    roots.some((root) => root.getAnimations().some(isMoving));
  const next = () => {
    pictures = isBusy() ? 0 : pictures + 1;
    if (pictures <= 3) return requestAnimationFrame(next);
    observer.disconnect();
    for (const root of roots) root.removeEventListener("scroll", changed, true);
    resolve();
  };
  next();
})`;

/** Resolves once nothing loads or moves, and three pictures in a row show the same. What moves without an end may go on. */
export const untilStill = (page: Page): Promise<void> => page.evaluate(STILL);
