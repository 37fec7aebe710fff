import { setTimeout as sleep } from "node:timers/promises";
import { Injectable } from "@nestjs/common";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { Config } from "../config/config.js";

/** How long a scrape waits for one value. */
const READ_MS = 2_000;

/** A value, and the labels that it belongs to. */
interface Sample<Label extends string> {
  labels: Record<Label, string>;
  value: number;
}
/** Undefined: there is nothing to show. */
type Values<Label extends string> = number | Sample<Label>[] | undefined;

/**
 * What `/metrics` shows. Each feature adds its own metrics when it is made. Name them as Prometheus does: `parley_`, a unit such as
 * `_seconds` or `_bytes`, and `_total` for a counter. A label needs a small, fixed set of values: never a tenant, an id
 * or a text that somebody wrote. `docs/operations.md` lists every metric; a test compares the two.
 */
@Injectable()
export class Metrics {
  /** Whether anybody can read them. Otherwise requests are not counted. */
  readonly enabled: boolean;
  /** How long a value that costs a query is kept, however often somebody scrapes. */
  keptMs = 5_000;
  private readonly registry = new Registry();
  private readonly failures: Counter<"metric">;

  constructor({ METRICS_PORT, METRICS_TOKEN }: Config) {
    this.enabled = METRICS_PORT !== undefined || METRICS_TOKEN !== undefined;
    if (this.enabled) collectDefaultMetrics({ register: this.registry });
    this.failures = this.counter("parley_metrics_failures_total", "Metrics that could not be read for a scrape", [
      "metric",
    ]);
  }

  counter<Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  histogram<Label extends string = never>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: readonly Label[] = [],
  ): Histogram<Label> {
    return new Histogram({ name, help, buckets, labelNames, registers: [this.registry] });
  }

  /**
   * A value that is read when somebody scrapes. If it cannot be read within two seconds, as while the database is away, the scrape
   * leaves it out and shows the others.
   * @param read `shared` if it asks the database
   */
  gauge<Label extends string = never>(
    name: string,
    help: string,
    read: () => Values<Label> | Promise<Values<Label>>,
    labelNames: readonly Label[] = [],
  ): void {
    const { failures } = this;
    new Gauge({
      name,
      help,
      labelNames,
      registers: [this.registry],
      async collect() {
        let values: Values<Label>;
        try {
          values = await soon(read);
        } catch {
          failures.inc({ metric: name });
        }
        if (labelNames.length) this.reset();
        else this.remove();
        if (typeof values === "number") this.set(values);
        else for (const { labels, value } of values ?? []) this.set(labels, value);
      },
    });
  }

  /** A read that metrics and scrapes share: while it runs, and for `keptMs` after it. One that failed is not kept. */
  shared<T>(read: () => Promise<T>): () => Promise<T> {
    let kept: Promise<T> | undefined;
    let until = 0;
    return () => {
      if (kept && performance.now() < until) return kept;
      const reading = (kept = read());
      until = Infinity;
      reading.then(
        () => {
          until = performance.now() + this.keptMs;
        },
        () => {
          kept = undefined;
        },
      );
      return reading;
    };
  }

  /** What a gauge shows now. Empty if it cannot be read, or there is nothing to show. */
  async read(name: string): Promise<Sample<string>[]> {
    const { values } = await this.registry.getSingleMetric(name)!.get();
    return values.map(({ labels, value }) => ({ labels: labels as Record<string, string>, value }));
  }

  /** In the text format of Prometheus. */
  text(): Promise<string> {
    return this.registry.metrics();
  }

  get contentType(): string {
    return this.registry.contentType;
  }
}

async function soon<T>(read: () => T | Promise<T>): Promise<T> {
  const value = read();
  if (!(value instanceof Promise)) return value;
  const late = new AbortController();
  const timeout = sleep(READ_MS, undefined, { signal: late.signal, ref: false }).then(() => {
    throw new Error("late");
  });
  try {
    return await Promise.race([value, timeout]);
  } finally {
    late.abort();
    timeout.catch(() => undefined);
  }
}
