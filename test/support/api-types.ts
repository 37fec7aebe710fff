import type { components, paths } from "./openapi.js";

type Method = "get" | "post" | "put" | "patch" | "delete";

/** `/api/contacts/{id}` and `/api/contacts/${string}` both become `/api/contacts/*`. */
type Shape<Path extends string> = Path extends `${infer Segment}/${infer Rest}`
  ? `${ShapeOf<Segment>}/${Shape<Rest>}`
  : ShapeOf<Path>;
type ShapeOf<Segment extends string> = string extends Segment ? "*" : Segment extends `{${string}}` ? "*" : Segment;
type WithoutQuery<Path extends string> = Path extends `${infer Before}?${string}` ? Before : Path;

type ByShape = { [Path in keyof paths as Shape<Path>]: paths[Path] };

type JsonOf<Response> = Response extends { content: { "application/json": infer Body } } ? Body : undefined;
type Success<Responses> = JsonOf<Responses[keyof Responses & (200 | 201 | 202)]>;

type ResponsesOf<M extends Method, Path extends string> =
  Shape<WithoutQuery<Path>> extends infer Found extends keyof ByShape
    ? ByShape[Found] extends { [method in M]: { responses: infer Responses } }
      ? Responses
      : unknown
    : unknown;

/**
 * The body of a response as openapi.json describes it, for a path that is a literal or a template.
 * `unknown` for any other path; then give the type: `client.get<{ id: string }>(path)`.
 * @typeParam Status the expected status; without it, the body of a success, or of an error
 */
export type Body<M extends Method, Path extends string, Status extends number> =
  ResponsesOf<M, Path> extends infer Responses
    ? unknown extends Responses
      ? unknown
      : number extends Status
        ? Success<Responses> & { error?: string }
        : Status extends keyof Responses
          ? JsonOf<Responses[Status]>
          : { error: string }
    : never;

/** A schema of openapi.json by its name, such as `Schemas["Conversation"]`. */
export type Schemas = components["schemas"];
