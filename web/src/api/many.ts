/** As many as one request changes. */
const AT_ONCE = 100;

interface Changed {
  done: number;
  errors: { error: string }[];
}

/** Changes any number of rows, a hundred with each request. */
export async function changeAll(
  all: ReadonlySet<string>,
  change: (ids: string[]) => Promise<Changed>,
): Promise<{ done: number; errors: string[] }> {
  const ids = [...all];
  const results = [];
  for (let from = 0; from < ids.length; from += AT_ONCE) results.push(await change(ids.slice(from, from + AT_ONCE)));
  return {
    done: results.reduce((sum, { done }) => sum + done, 0),
    errors: results.flatMap(({ errors }) => errors.map(({ error }) => error)),
  };
}
