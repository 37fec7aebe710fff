/** A metric as the text format of Prometheus shows it. */
export interface Family {
  name: string;
  type: string;
  help: string;
  samples: Sample[];
}
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const HELP = new RegExp(`^# HELP (${NAME}) ((?:[^\\\\]|\\\\[\\\\n])+)$`);
const TYPE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary|untyped)$`);
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (\\S+)$`);
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\["\\n])*)"(,|$)/y;
/** As ParseFloat of Go, which does not tell `NaN` from `Nan`. */
const VALUE = /^(nan|[+-]?inf|[+-]?\d+(\.\d+)?(e[+-]?\d+)?)$/i;

/**
 * Reads the text format of Prometheus (0.0.4), and throws at whatever the format does not allow: Prometheus drops the whole scrape
 * then.
 */
export function parseExposition(text: string): Map<string, Family> {
  if (!text.endsWith("\n")) throw new Error("the last line does not end");
  const families = new Map<string, Family>();
  const series = new Set<string>();
  let open: Family | undefined;
  for (const line of text.split("\n").slice(0, -1)) {
    const fail = (why: string): never => {
      throw new Error(`${why}: ${line}`);
    };
    if (line === "") continue;
    if (line.startsWith("# HELP")) {
      const [, name, help] = HELP.exec(line) ?? fail("not a HELP line");
      if (families.has(name!)) fail("a second HELP");
      families.set(name!, (open = { name: name!, help: help!, type: "", samples: [] }));
    } else if (line.startsWith("#")) {
      const [, name, type] = TYPE.exec(line) ?? fail("not a TYPE line");
      if (open?.name !== name || open!.type || open!.samples.length) fail("TYPE does not follow HELP");
      open!.type = type!;
    } else {
      const [, name, labels = "", value] = SAMPLE.exec(line) ?? fail("not a sample");
      if (!open?.type || !belongs(name!, open)) return fail("a sample of another metric");
      if (!VALUE.test(value!)) fail("not a number");
      const sample = { name: name!, labels: readLabels(labels, fail), value: numberOf(value!) };
      const key = JSON.stringify([name, Object.entries(sample.labels).sort()]);
      if (series.has(key)) fail("the same series twice");
      series.add(key);
      open.samples.push(sample);
    }
  }
  for (const family of families.values()) check(family);
  return families;
}

const belongs = (name: string, { name: family, type }: Family): boolean =>
  type === "histogram" ? ["_bucket", "_sum", "_count"].some((end) => name === family + end) : name === family;

const numberOf = (value: string): number => (value.endsWith("Inf") ? Infinity * (value[0] === "-" ? -1 : 1) : +value);

function readLabels(text: string, fail: (why: string) => never): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  for (let at = 0; at < text.length; at = LABEL.lastIndex) {
    const [, name, value] = LABEL.exec(text) ?? fail("not labels");
    if (name! in labels) fail("the same label twice");
    labels[name!] = value!;
  }
  return labels;
}

/** What holds for all samples of a metric together. */
function check({ name, type, samples }: Family): void {
  const fail = (why: string): never => {
    throw new Error(`${name}: ${why}`);
  };
  if (!type) fail("has no TYPE");
  if (type === "counter" && samples.some(({ value }) => !(value >= 0))) fail("a counter below zero");
  if (type !== "histogram") return;
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) {
    const { le: _, ...labels } = sample.labels;
    const key = JSON.stringify(Object.entries(labels).sort());
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  for (const group of groups.values()) {
    const of = (end: string): Sample[] => group.filter((sample) => sample.name === name + end);
    const buckets = of("_bucket").map(({ labels, value }) => ({ le: numberOf(labels.le ?? fail("no le")), value }));
    const [sum, count] = [of("_sum"), of("_count")];
    if (sum.length !== 1 || count.length !== 1) fail("not one sum and one count");
    if (buckets.at(-1)?.le !== Infinity || buckets.at(-1)!.value !== count[0]!.value) fail("+Inf is not the count");
    for (const [at, bucket] of buckets.entries())
      if (at && (bucket.le <= buckets[at - 1]!.le || bucket.value < buckets[at - 1]!.value)) fail("buckets fall");
  }
}
