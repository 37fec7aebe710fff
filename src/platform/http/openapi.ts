import { applyDecorators, type Type } from "@nestjs/common";
import { ApiExtraModels, ApiProperty, ApiResponse, getSchemaPath, type OpenAPIObject } from "@nestjs/swagger";

/** The name of an operation, in the document and in everything that refers to it. */
export const operationId = (controller: string, method: string): string =>
  `${controller.replace("Controller", "")}.${method}`;

/** The answer of every failed request. */
export class ErrorDto {
  /** What is wrong, in words for people. */
  @ApiProperty({ example: "limit must not be greater than 100" })
  error: string;
}

/** The answer of actions. */
class OkDto {
  @ApiProperty({ enum: [true], example: true })
  ok: true;
}

/** Documents a successful answer with one object. */
export const Answers = (type: Type, options: { status?: number; description?: string } = {}) =>
  ApiResponse({ status: options.status ?? 200, description: options.description ?? "Success", type });

/** Documents a successful answer with one of two objects. */
export const AnswersEither = (one: Type, other: Type) =>
  applyDecorators(
    ApiExtraModels(one, other),
    ApiResponse({
      status: 200,
      description: "Success",
      schema: { oneOf: [{ $ref: getSchemaPath(one) }, { $ref: getSchemaPath(other) }] },
    }),
  );

/** Documents a successful answer with a bare array. */
export const AnswersList = (type: Type, description = "Success") =>
  ApiResponse({ status: 200, description, type, isArray: true });

/** Documents a page of a list that can grow. */
export const AnswersPage = (type: Type, description = "A page; `nextCursor` is missing on the last one") =>
  applyDecorators(
    ApiExtraModels(type),
    ApiResponse({
      status: 200,
      description,
      schema: {
        type: "object",
        required: ["data"],
        properties: {
          data: { type: "array", items: { $ref: getSchemaPath(type) } },
          nextCursor: {
            type: "string",
            description: "Continues this list when given as `cursor` with the same filters",
          },
        },
      },
    }),
  );

/** Documents an answer that is an HTML page. */
export const AnswersHtml = (status: number, description: string) =>
  ApiResponse({ status, description, content: { "text/html": { schema: { type: "string" } } } });

/** Documents failures that are not common to all operations of this kind. */
export const Fails = (...statuses: number[]) =>
  applyDecorators(...statuses.map((status) => ApiResponse({ status, description: FAILURES[status], type: ErrorDto })));

/** Documents the acknowledgement of an action. */
export const AnswersOk = (description = "Done", status = 200) => Answers(OkDto, { status, description });

interface Operation {
  parameters?: { name: string; in: string; [key: string]: unknown }[];
  responses: Record<string, { description: string; [key: string]: unknown }>;
  [key: string]: unknown;
}

/** `["owner", "admin"]` as `owners and admins`. */
const namesOf = (roles: readonly string[]): string =>
  new Intl.ListFormat("en").format(roles.map((role) => `${role}s`)).replace(", and ", " and ");

/** Who may use the operation, in words for people. */
function whoMay(operation: Operation): string {
  switch (operation["x-access"]) {
    case "scope":
      return `API key: scope \`${operation["x-required-scope"] as string}\`. Also with a dashboard session.`;
    case "members":
      return operation["x-roles"]
        ? `For ${namesOf(operation["x-roles"] as string[])}: a dashboard session.`
        : "For members: a dashboard session.";
    case "admins":
      return "For owners and admins: a dashboard session.";
    case "any":
      if (operation["x-any-read-scope"])
        return "API key: any scope that ends in `:read`. Also with a dashboard session, except of the role billing.";
      return "For every API key and dashboard session.";
    default:
      return "Without an API key or session.";
  }
}

const RECENTLY =
  "A session needs a recent sign-in, 15 minutes by default. Later the answer is 403 `Sign in again`; `POST /api/auth/reauthenticate` renews it.";

const FAILURES: Record<string, string> = {
  400: "The request is malformed; the sentence names the field and says why",
  401: "The credential is missing, malformed, expired or revoked",
  403: "The credential lacks the scope or role that this operation needs",
  404: "Absent, of another tenant, or outside the reach of the caller: the three are not told apart",
  409: "The state of things does not allow it, or it exists already",
  410: "What the request refers to is no longer kept",
  413: "The body is too large",
  415: "The body is not JSON",
  422: "The `Idempotency-Key` was used before with another body",
  429: "Too many requests; `Retry-After` says how many seconds to wait",
  503: "A dependency is down; try again",
};

/** Adds what all operations of a kind share, so that controllers do not repeat it. */
export function completeDocument(document: OpenAPIObject): OpenAPIObject {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, value] of Object.entries(methods as Record<string, unknown>)) {
      if (typeof value !== "object" || value === null || !("responses" in value)) continue;
      complete(value as Operation, method, path);
    }
  }
  return document;
}

function complete(operation: Operation, method: string, path: string): void {
  const open = operation["x-access"] === "public";
  const recently = operation["x-requires-recent-sign-in"] && RECENTLY;
  operation.description = [operation.description, whoMay(operation), recently].filter(Boolean).join("\n\n");
  const writes = method !== "get";
  const failures = new Set([400, 503]);
  if (!path.endsWith("z")) failures.add(429);
  if (!open) failures.add(401);
  if (!open && (operation["x-access"] !== "any" || operation["x-any-read-scope"])) failures.add(403);
  if (path.includes("{") || (writes && !open) || operation.parameters?.some(({ name }) => name === "workspaceId"))
    failures.add(404);
  if (writes) failures.add(413).add(415);
  if (writes && !open) failures.add(409);
  if (method === "post" && !open && !path.startsWith("/api/auth/")) {
    failures.add(422);
    (operation.parameters ??= []).push({
      name: "Idempotency-Key",
      in: "header",
      required: false,
      description:
        "Makes a retry safe: the same key and body give the first answer again, and the effect happens once. Kept for at least 24 hours.",
      schema: { type: "string", maxLength: 255 },
      example: "7b1f6f0e-reply-1",
    });
  }
  if (method === "get" && !open) {
    operation.responses[304] = { description: "Unchanged since the `ETag` given as `If-None-Match`" };
    (operation.parameters ??= []).push({
      name: "If-None-Match",
      in: "header",
      required: false,
      description: "The `ETag` of the answer that you have",
      schema: { type: "string" },
    });
  }
  for (const status of failures) {
    operation.responses[status] ??= {
      description: FAILURES[status]!,
      content: { "application/json": { schema: { $ref: "#/components/schemas/ErrorDto" } } },
    };
  }
}
