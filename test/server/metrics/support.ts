import { type Family, parseExposition, type Sample } from "./exposition.js";
import type { TestApp } from "../../support/app.js";

export const TOKEN = "a-token-for-the-scraper-0123456789";

export const scrapeText = async (baseUrl: string, token = TOKEN): Promise<string> => {
  const answer = await fetch(`${baseUrl}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  if (answer.status !== 200) throw new Error(`/metrics answered ${answer.status}`);
  return answer.text();
};

/** One scrape, by metric. */
export class Scrape {
  private constructor(readonly families: Map<string, Family>) {}

  static async of({ baseUrl }: Pick<TestApp, "baseUrl">): Promise<Scrape> {
    return new Scrape(parseExposition(await scrapeText(baseUrl)));
  }

  samples(name: string, labels: Record<string, string> = {}): Sample[] {
    return [...this.families.values()]
      .flatMap(({ samples }) => samples)
      .filter(
        (sample) =>
          sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
      );
  }

  /** The only sample with these labels; undefined if there is none. */
  value(name: string, labels: Record<string, string> = {}): number | undefined {
    const found = this.samples(name, labels);
    if (found.length > 1) throw new Error(`${name} has ${found.length} samples with ${JSON.stringify(labels)}`);
    return found[0]?.value;
  }
}
