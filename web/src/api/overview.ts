import { parley, type Schemas } from "./parley.js";

type Overview = Schemas["Overview"];
type Part = keyof Overview;
interface Waiting {
  resolve: (overview: Overview) => void;
  reject: (error: unknown) => void;
}

/** The parts that the next request for each conversation will ask for, and who waits for it. */
const next = new Map<string, { parts: Set<Part>; waiting: Waiting[] }>();

/**
 * One part of a conversation. What is asked for at the same time comes in one request: forty operators may share one address
 * and its rate limit.
 */
export async function overviewOf<P extends Part>(id: string, part: P): Promise<NonNullable<Overview[P]>> {
  const overview = await new Promise<Overview>((resolve, reject) => {
    const request = next.get(id) ?? { parts: new Set(), waiting: [] };
    request.parts.add(part);
    request.waiting.push({ resolve, reject });
    if (next.has(id)) return;
    next.set(id, request);
    setTimeout(() => {
      next.delete(id);
      parley.conversations.getOverview(id, { parts: [...request.parts] }).then(
        (answer) => request.waiting.forEach((one) => one.resolve(answer)),
        (error: unknown) => request.waiting.forEach((one) => one.reject(error)),
      );
    });
  });
  return overview[part]!;
}
