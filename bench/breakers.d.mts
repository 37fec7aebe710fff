import type { judge } from "../src/quality/breakers/sequential-test.js";

interface Stable {
  threshold: number;
  volume: number;
  windows: number;
  windowDays?: number;
  minimumSample?: number;
  seed: number;
}
interface Turning {
  threshold?: number;
  before?: number;
  after: number;
  history: number;
  perDay?: number;
  runs: number;
  windowDays?: number;
  minimumSample?: number;
  seed: number;
}

export function numbers(seed: number): () => number;
export function falseTrips(judges: typeof judge, stable: Stable): number;
export function untilItTrips(judges: typeof judge, turning: Turning): number[];
export function highest(trips: number, windows: number): number;
