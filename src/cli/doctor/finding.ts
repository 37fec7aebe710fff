/** What the doctor found out: `warning` will hurt one day, `error` hurts now. It says what to do. */
export interface Finding {
  level: "ok" | "warning" | "error";
  says: string;
}

export const fine = (says: string): Finding => ({ level: "ok", says });
export const warning = (says: string): Finding => ({ level: "warning", says });
export const error = (says: string): Finding => ({ level: "error", says });

/** The message of an error in one line, for people. `fetch` says why only in the cause. */
export function reasonOf(thrown: unknown): string {
  const { message = String(thrown), code, cause } = thrown as { message?: string; code?: string; cause?: unknown };
  return message === "fetch failed" && cause !== undefined ? reasonOf(cause) : (message || code!).split("\n", 1)[0]!;
}
