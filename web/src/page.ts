/** What the browser tells this tab, and is asked by it. Whoever needs that takes it as an argument, so that a test can be the browser. */
export interface Page {
  on: (event: "online" | "pagehide" | "visibilitychange", run: () => void, signal?: AbortSignal) => void;
  readonly isVisible: boolean;
  readonly isOnline: boolean;
}

export const page: Page = {
  on: (event, run, signal) =>
    (event === "visibilitychange" ? document : window).addEventListener(event, run, signal && { signal }),
  get isVisible() {
    return document.visibilityState === "visible";
  },
  get isOnline() {
    return navigator.onLine;
  },
};
