import { ConflictError, NotFoundError } from "@parley/sdk/core";

/** As many as one request changes. */
const AT_ONCE = 100;

interface Changed {
  done: number;
  errors: { error: string }[];
}

/**
 * Changes any number of rows, a hundred with each request. What one request could not change does not keep the others from theirs.
 * @throws what the first request said, if nothing was changed
 */
export async function changeAll(
  all: ReadonlySet<string>,
  change: (ids: string[]) => Promise<Changed>,
): Promise<{ done: number; errors: string[] }> {
  const ids = [...all];
  const results: Changed[] = [];
  let first: unknown;
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE);
    try {
      results.push(await change(some));
    } catch (error) {
      const isRefused = error instanceof NotFoundError || error instanceof ConflictError;
      if (!isRefused && !results.some(({ done }) => done)) throw error;
      first ??= error;
      const { message } = error as Error;
      results.push({ done: 0, errors: some.map(() => ({ error: message })) });
    }
  }
  const done = results.reduce((sum, one) => sum + one.done, 0);
  if (!done && first !== undefined) throw first as Error;
  return { done, errors: results.flatMap(({ errors }) => errors.map(({ error }) => error)) };
}
