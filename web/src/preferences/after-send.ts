const KEY = "parley.after-send";

/** Whether the keyboard is at the thread after a reply or a note, and not in the field. This browser keeps it. */
export const goesToThread = (): boolean => localStorage.getItem(KEY) !== "field";
export const goToThread = (goes: boolean): void =>
  goes ? localStorage.removeItem(KEY) : localStorage.setItem(KEY, "field");

/** After it was sent: so that the next letter is a shortcut. */
export function leaveField(): void {
  if (goesToThread()) document.getElementById("thread-title")?.focus({ preventScroll: true });
}
