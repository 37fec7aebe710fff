import { isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/** Default length of a window in seconds, from its first request. */
export const WINDOW_SECONDS = 60;
/**
 * A process leases this fraction of the remaining requests. Near the end leases are small, so that no process holds
 * unused ones.
 */
const SHARE = 16;

/**
 * Leases up to `want` of the requests that a client may still make in its window, counted over all processes.
 * @returns how many were leased, how many are left, and the milliseconds until the window ends
 */
export type Lease = (
  client: string,
  want: number,
  limit: number,
) => Promise<{ granted: number; left: number; endsIn: number }>;

interface Window {
  available: number;
  left: number;
  ends: number;
  pending?: Promise<void>;
}
export interface Verdict {
  allowed: boolean;
  remaining: number;
  resetSeconds: number;
}

/**
 * Counts requests by client IP, or by another key, in windows of `seconds`. Each process leases requests from
 * the shared count, so any number of processes together never exceeds the limit.
 */
export class RateLimiter {
  private readonly windows = new Map<string, Window>();
  private readonly cleaning: NodeJS.Timeout;

  /**
   * @param seconds that a window lasts: those of the lease
   * @param goesOnAlone whether each process counts by itself while there are no leases
   */
  constructor(
    readonly limit: number,
    private readonly lease: Lease,
    readonly seconds = WINDOW_SECONDS,
    private readonly goesOnAlone = false,
  ) {
    this.cleaning = setInterval(() => this.clean(), seconds * 1_000);
    this.cleaning.unref();
  }

  /** Counts a request. While this process has leased ones left, the verdict is there at once. */
  take(client: string): Verdict | Promise<Verdict> {
    let window = this.windows.get(client);
    if (!window || window.ends <= performance.now()) {
      window = { available: 0, left: this.limit, ends: performance.now() + this.seconds * 1_000 };
      this.windows.set(client, window);
    }
    return isUndecided(window) ? this.takeOfNextLease(client, window) : this.judge(window);
  }

  private async takeOfNextLease(client: string, window: Window): Promise<Verdict> {
    while (isUndecided(window)) await (window.pending ??= this.refill(client, window));
    return this.judge(window);
  }

  private judge(window: Window): Verdict {
    const allowed = window.available >= 1;
    if (allowed) window.available--;
    return {
      allowed,
      remaining: window.left + window.available,
      resetSeconds: Math.min(Math.max(1, Math.ceil((window.ends - performance.now()) / 1_000)), this.seconds),
    };
  }

  private async refill(client: string, window: Window): Promise<void> {
    const want = Math.ceil(window.left / SHARE);
    try {
      const { granted, left, endsIn } = await this.lease(client, want, this.limit);
      window.available += granted;
      window.left = left;
      window.ends = performance.now() + endsIn;
    } catch (error) {
      if (!this.goesOnAlone) throw error;
      window.available += want;
      window.left -= want;
    } finally {
      window.pending = undefined;
    }
  }

  private clean(): void {
    const now = performance.now();
    for (const [client, window] of this.windows) if (window.ends <= now) this.windows.delete(client);
  }

  stop(): void {
    clearInterval(this.cleaning);
  }
}

const isUndecided = ({ available, left }: Window): boolean => available < 1 && left > 0;

/**
 * The key that requests of a client address are counted under. An IPv6 address counts by its /64, which is what a provider
 * gives to one customer. An IPv4 address counts as such, also when it is written as IPv6.
 */
export function clientOf(address: string): string {
  // Nearly all addresses are IPv4, which has no colon.
  if (!address.includes(":")) return address;
  const plain = address.split("%", 1)[0]!;
  if (!isIPv6(plain)) return plain;
  const parsed = ipaddr.process(plain);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(":")}::/64`;
}
