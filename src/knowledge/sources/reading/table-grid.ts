interface Spanning {
  properties: { colSpan?: unknown; rowSpan?: unknown };
}

export interface Cell<E extends Spanning> {
  element: E;
  /** The first column that it takes, and the first one after it. */
  from: number;
  to: number;
  /** It began in a row above. */
  isContinued: boolean;
}

/** Columns after these are read as if no cell reached down into them. */
const MAX_COLUMNS = 100;
/** How often cells of one table are said again in rows below. */
const MAX_CONTINUED = 1_000;

const span = (value: unknown, most: number): number =>
  typeof value === "number" && value >= 1 ? Math.min(value, most) : 1;

/** The cells of each row by the columns that they take, as browsers place them. A cell of several rows is in each of them. */
export function gridOf<E extends Spanning>(rows: readonly (readonly E[])[]): Cell<E>[][] {
  let left = MAX_CONTINUED;
  let reaching: (Cell<E> & { until: number })[] = [];
  return rows.map((row, n) => {
    reaching = reaching.filter(({ until }) => until > n);
    const taken = new Set<number>();
    for (const { from, to } of reaching) for (let column = from; column < to; column++) taken.add(column);
    const cells: Cell<E>[] = reaching.slice(0, left).map((cell) => ({ ...cell, isContinued: true }));
    left -= cells.length;
    let at = 0;
    for (const element of row) {
      while (taken.has(at)) at++;
      const { colSpan, rowSpan } = element.properties;
      const cell = { element, from: at, to: at + span(colSpan, MAX_COLUMNS), isContinued: false };
      // A span of 0 reaches to the end.
      const until = rowSpan === 0 ? rows.length : n + span(rowSpan, rows.length);
      if (until > n + 1 && cell.to <= MAX_COLUMNS) reaching.push({ ...cell, until });
      cells.push(cell);
      at = cell.to;
    }
    return cells.sort((one, other) => one.from - other.from);
  });
}
