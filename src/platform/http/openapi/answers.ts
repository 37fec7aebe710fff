import { type Document, operationsOf, type Response } from "./document.js";

const SHARED_FROM = 2;

/**
 * Moves an answer that several operations share, such as that of actions, to `components.responses`. It is named after its
 * description. Runs after the headers and the examples, which are parts of it.
 */
export function shareAnswers(document: Document): void {
  const responses = document.components.responses as Record<string, Response>;
  const uses = new Map<string, number>();
  const texts = operationsOf(document).flatMap(({ operation }) => Object.values(operation.responses).map(textOf));
  for (const text of texts) uses.set(text, (uses.get(text) ?? 0) + 1);
  const nameOf = new Map<string, string>();
  for (const [text, count] of [...uses].sort(([, a], [, b]) => b - a)) {
    const { description } = JSON.parse(text) as Partial<Response>;
    // A reference has none, and a sentence is no name.
    if (count < SHARED_FROM || !description || !/^\w+$/.test(description) || description in responses) continue;
    responses[description] = JSON.parse(text) as Response;
    nameOf.set(text, description);
  }
  for (const { operation } of operationsOf(document))
    for (const [status, response] of Object.entries(operation.responses)) {
      const name = nameOf.get(textOf(response));
      if (name) operation.responses[status] = { $ref: `#/components/responses/${name}` } as unknown as Response;
    }
}

const textOf = (response: Response): string => JSON.stringify(response);
