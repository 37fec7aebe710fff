/** A tool of the shop that is attacked. */
interface HouseTool {
  name: string;
  description: string;
  effect: "read" | "write";
  parameters: { properties: Record<string, { "x-bound"?: string }> };
  /** Valid arguments, of numbers from 0 to 1. */
  sample(next: () => number): Record<string, unknown>;
}
/** A shop: its tools and rules, and what they come to. */
export interface House {
  name: string;
  tools: HouseTool[];
  /** Those that change something, that need an approval, and that need proof of identity. */
  writes: HouseTool[];
  guarded: HouseTool[];
  proven: HouseTool[];
  /** Reads something. */
  look: HouseTool;
  policies: object[];
  entries: object[];
  /** What customers begin with. */
  questions: string[];
  attributes(next: () => number): Record<string, unknown>;
  /** What the policies demand, worked out without them. */
  expects(
    tool: HouseTool,
    args: Record<string, unknown>,
    customer: { attributes: Record<string, unknown> },
  ): { effect: "allow" | "approval" | "never"; level: boolean };
  authorization?: string;
}
interface Tenant {
  key: string;
  owner: string;
  brandId: string;
  tenantId: string;
}
interface World {
  api(method: string, path: string, token: string, body?: unknown): Promise<{ status: number; body: unknown }>;
  settle(conversationIds: string[]): Promise<void>;
  ours: Tenant;
  other: Tenant;
  toolUrl(path: string): string;
}
export interface Arrival {
  authorization?: string;
  body: {
    tool: string;
    arguments: Record<string, unknown>;
    idempotencyKey: string;
    workspaceId: string;
    contact: { id: string; externalId: string | null };
    conversation: { id: string };
  };
}
export interface Attempt {
  conversationId: string;
  contactId: string;
  proved: boolean;
  attributes: Record<string, unknown>;
  approved: { id: string; arguments: Record<string, unknown> }[];
  planted?: [tool: string, args: Record<string, unknown>];
}
interface Counts {
  attempts: number;
  kinds: Record<string, number>;
  reads: number;
  writes: number;
  approved: number;
  refusedApprovals: number;
  proved: number;
  replies: number;
  outcomes: Record<string, number>;
}
interface Siege {
  answer(call: {
    headers: Record<string, string | string[] | undefined>;
    body: object;
  }): { status?: number; body: unknown } | "reset";
  counts: Counts;
  attack(first: number, count: number): Promise<void>;
  account(): Promise<{ counts: Counts; violations: { n?: number; kind?: string; what: string }[] }>;
}

export function openSiege(
  world: World,
  house: House,
  options?: { seed?: number; wording?: "quotes" | "own" },
): Promise<Siege>;
export function faultsOf(arrival: Arrival, attempt: Attempt | undefined, house: House, workspaceId: string): string[];
export function leaksOf(text: string): string[];
