import type { Page } from "../page.js";

/** Whether the member is at work on this page. */
export interface AtWork {
  page: Page;
  /** Whether nobody has touched the page for a while. */
  isIdle: () => boolean;
}

interface Pace {
  /** So many runs may follow one another at once after a quiet time. */
  burst: number;
  /** A run more is allowed in each of these, while the member is at work, and while nobody touches the page. */
  workingMs: number;
  idleMs: number;
}

/**
 * Runs soon after it is called, and no more often than the pace allows. Calls that had to wait become one run. A page in the
 * background runs nothing until it is in front again.
 */
export function paced(run: () => void, { burst, workingMs, idleMs }: Pace, { page, isIdle }: AtWork): () => void {
  let allowed = burst;
  let countedAt = Date.now();
  let wanted = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const go = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (!wanted || !page.isVisible) return;
    const eachMs = isIdle() ? idleMs : workingMs;
    allowed = Math.min(burst, allowed + (Date.now() - countedAt) / eachMs);
    countedAt = Date.now();
    if (allowed < 1) {
      timer = setTimeout(go, (1 - allowed) * eachMs);
      return;
    }
    allowed--;
    wanted = false;
    run();
  };
  page.on("visibilitychange", go);
  return () => {
    wanted = true;
    if (timer === undefined) go();
  };
}
