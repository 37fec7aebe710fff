import { operationsOf, type Step } from "./document.js";

/** What a request sends and what it answers, by the name of the operation. */
export type Examples = Record<string, { request?: unknown; status: number; answer?: unknown }>;

/** Shows a request and its answer with each operation that has an example. */
export const addExamples =
  (examples: Examples): Step =>
  (document) => {
    const operations = new Map(operationsOf(document).map(({ operation }) => [operation.operationId, operation]));
    for (const [id, { request, status, answer }] of Object.entries(examples)) {
      const operation = operations.get(id);
      if (!operation) throw new Error(`There is an example of ${id}, which is no operation`);
      const body = operation.requestBody?.content["application/json"];
      if (body && request !== undefined) body.example = request;
      const content = operation.responses[status]?.content;
      const answered = content?.["application/json"] ?? content?.["text/event-stream"];
      if (answered && answer !== undefined) answered.example = answer;
    }
  };
