/** Calls `abort` when the signal is aborted, at once if it already is. Returns how to stop listening. */
export function onAbort(signal: AbortSignal | undefined, abort: (reason: Error) => void): () => void {
  if (!signal) return () => undefined;
  const listen = (): void => abort(signal.reason as Error);
  if (signal.aborted) listen();
  else signal.addEventListener("abort", listen, { once: true });
  return () => signal.removeEventListener("abort", listen);
}

/** Waits. @throws the reason of the signal if it is aborted */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      forget();
      resolve();
    }, ms);
    const forget = onAbort(signal, (reason) => {
      clearTimeout(timer);
      reject(reason);
    });
  });
}

/** The wait before a retry: half a second, doubled each time, up to 30 s. Random, so that clients do not come back all at once. */
export const backoff = (failures: number): number => Math.min(500 * 2 ** failures, 30_000) * (0.5 + Math.random() / 2);

/** The value, if it comes before the signal is aborted. @throws the reason of the signal */
export const unlessAborted = <Value>(value: Value | Promise<Value>, signal: AbortSignal): Promise<Value> =>
  new Promise((resolve, reject) => {
    const forget = onAbort(signal, reject);
    Promise.resolve(value).then(resolve, reject).finally(forget);
  });
