import { showToast } from "../ui/toasts.js";

/** Whether the server has another version of the dashboard than this page, as it has after an upgrade. */
export async function isOutdated(): Promise<boolean> {
  const answer = await fetch("/", { cache: "no-cache" });
  if (!answer.ok) return false;
  const page = await answer.text();
  const scripts = [...document.querySelectorAll("script[type=module][src]")];
  return scripts.some((script) => !page.includes(script.getAttribute("src")!));
}

let takeOff: (() => void) | undefined;
/** Offers to reload the page, until somebody closes the toast. There is one such toast at a time. A reload keeps drafts. */
export function offerReload(text: string, label: string, { failed = false } = {}): void {
  takeOff?.();
  // As long as a timer of the browser can be.
  takeOff = showToast(text, { failed, ms: 2 ** 31 - 1, action: { label, run: () => location.reload() } });
}
