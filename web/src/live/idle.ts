/** Somebody who has touched nothing for this long is not at work here. */
const IDLE_MS = 60_000;

let touchedAt = Date.now();
for (const type of ["pointermove", "pointerdown", "keydown", "wheel", "touchstart"])
  addEventListener(type, () => (touchedAt = Date.now()), { passive: true, capture: true });

/** When the page was touched last, in milliseconds. */
export const lastTouch = (): number => touchedAt;

/** Whether nobody has touched the page for a while. */
export const isIdle = (): boolean => Date.now() - touchedAt > IDLE_MS;
