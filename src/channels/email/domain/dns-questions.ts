import dns from "node:dns/promises";
import { isIP } from "node:net";
import { isPublic } from "../../../platform/outbound/public-address.js";
import { withTimeout } from "../../../platform/outbound/with-timeout.js";

export type RecordType = "TXT" | "A" | "AAAA" | "MX" | "PTR" | "NS";
/** An answer as `dns.resolve` gives it. */
type Records = unknown[];

const NO_NAME = "ENOTFOUND";
/** There is no such record. Any other error says nothing about the name. */
const NO_RECORD = new Set([NO_NAME, "ENODATA"]);
export const noRecord = (): Error => Object.assign(new Error("there is no such record"), { code: "ENODATA" });
/** An SPF record may cost ten questions, each `mx` of it ten more. A usual domain needs some 25, most of them for selectors. */
const MAX_QUESTIONS = 80;
const QUESTION_MS = 2_000;

/**
 * The questions of one check. Each is asked once; beyond the budget, and after the check's end, the answer is an error. Whoever
 * writes the settings or an SPF record chooses the names, so addresses that are not public count as if there were none.
 */
export class DnsQuestions {
  private readonly dns = new dns.Resolver({ timeout: QUESTION_MS / 2, tries: 2 });
  private readonly asked = new Map<string, Promise<Records>>();

  /**
   * @param until when the check ends, by the process's clock
   * @param allowed the one host whose addresses need not be public
   */
  constructor(
    servers: readonly string[],
    private readonly until: number,
    private readonly allowed: string | undefined,
  ) {
    if (servers.length) this.dns.setServers([...servers]);
  }

  /** @throws with the code of the DNS */
  readonly ask = (name: string, type: RecordType): Promise<Records> => {
    const key = `${type} ${name.toLowerCase()}`;
    const known = this.asked.get(key);
    if (known) return known;
    const question = this.question(name, type);
    this.asked.set(key, question);
    return question;
  };

  /** @returns nothing if there is none */
  async texts(name: string): Promise<string[]> {
    return ((await this.orNone(name, "TXT")) as string[][]).map((parts) => parts.join(""));
  }

  async addresses(host: string): Promise<string[]> {
    if (isIP(host)) return this.permitted(host, [host]);
    const both = await Promise.all([this.orNone(host, "A"), this.orNone(host, "AAAA")]);
    return both.flat() as string[];
  }

  wasAskedFor(name: string): boolean {
    return this.asked.has(`TXT ${name}`);
  }

  private async question(name: string, type: RecordType): Promise<Records> {
    const left = this.until - performance.now();
    if (this.asked.size >= MAX_QUESTIONS || left <= 0)
      throw Object.assign(new Error("too many DNS questions"), { code: "ETIMEOUT" });
    const records = await withTimeout(
      this.dns.resolve(name, type) as Promise<Records>,
      Math.min(QUESTION_MS, left),
      () => Object.assign(new Error("the DNS did not answer in time"), { code: "ETIMEOUT" }),
    );
    if (type !== "A" && type !== "AAAA") return records;
    const addresses = this.permitted(name, records as string[]);
    if (addresses.length === 0) throw noRecord();
    return addresses;
  }

  private permitted(name: string, addresses: readonly string[]): string[] {
    return addresses.filter((address) => name.toLowerCase() === this.allowed || isPublic(address));
  }

  private async orNone(name: string, type: RecordType): Promise<Records> {
    try {
      return await this.ask(name, type);
    } catch (error) {
      const { code = "" } = error as { code?: string };
      if (!NO_RECORD.has(code)) throw error;
      if (code === NO_NAME) await this.assertKnowsRoot();
      return [];
    }
  }

  /**
   * A name server without a way to the others may say of every name that it does not exist.
   * @throws Error: it says so of the root
   */
  private async assertKnowsRoot(): Promise<void> {
    await this.ask(".", "NS").catch((error: unknown) => {
      if ((error as { code?: string }).code === NO_NAME) throw new Error("the DNS knows no name at all");
    });
  }
}
