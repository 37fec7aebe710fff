import { showToast } from "../ui/toasts.js";

/** Whether the server has another version of the dashboard than this page, as it has after an upgrade. */
export async function isOutdated(): Promise<boolean> {
  const answer = await fetch("/", { cache: "no-cache" });
  if (!answer.ok) return false;
  const page = await answer.text();
  const scripts = [...document.querySelectorAll("script[type=module][src]")];
  return scripts.some((script) => !page.includes(script.getAttribute("src")!));
}

let isOffered = false;
/** Offers to load the page anew. Once is enough, and it stays until somebody closes it. Drafts outlive it. */
export function offerReload(text: string, label: string, { failed = false } = {}): void {
  if (isOffered) return;
  isOffered = true;
  // As long as a timer of the browser can be.
  showToast(text, { failed, ms: 2 ** 31 - 1, action: { label, run: () => location.reload() } });
}
