import { applyDecorators, type Type } from "@nestjs/common";
import {
  ApiExtension,
  ApiExtraModels,
  ApiProperty,
  type ApiPropertyOptions,
  ApiResponse,
  ApiSchema,
  getSchemaPath,
  type SchemaObject,
} from "@nestjs/swagger";
import { FAILURES } from "./openapi/failures.js";

/** The answer of every failed request. */
@ApiSchema({ description: "What went wrong. Every failure has this form." })
export class ErrorResponseDto {
  /** What is wrong, in words for people. */
  @ApiProperty({ example: "limit must not be greater than 100" })
  error: string;
}

/** The answer of actions. */
@ApiSchema({ description: "The action was done." })
class OkDto {
  @ApiProperty({ enum: [true], example: true })
  ok: true;
}

/** Documents a successful answer with one object. */
export const Answers = (type: Type, options: { status?: number; description?: string } = {}) =>
  ApiResponse({ status: options.status ?? 200, description: options.description ?? "OK", type });

/**
 * Documents a successful answer with one of two objects.
 * @param name of the schema that they make together
 * @param about what that schema is
 */
export const AnswersEither = (name: string, about: string, one: Type, other: Type, description = "OK") =>
  applyDecorators(
    ApiExtraModels(one, other),
    ApiResponse({
      status: 200,
      description,
      schema: {
        "x-union": name,
        description: about,
        oneOf: [{ $ref: getSchemaPath(one) }, { $ref: getSchemaPath(other) }],
      } as SchemaObject,
    }),
  );

/** Documents a successful answer with a bare array. */
export const AnswersList = (type: Type, description = "OK") =>
  ApiResponse({ status: 200, description, type, isArray: true });

const pageOf = (type: Type): SchemaObject =>
  ({
    type: "object",
    "x-page": true,
    required: ["data"],
    properties: {
      data: { type: "array", items: { $ref: getSchemaPath(type) } },
      nextCursor: {
        type: "string",
        description: "Give it as `cursor` with the same filters to continue. Missing on the last page",
      },
    },
  }) as SchemaObject;

/** Documents a page of a list that can grow. */
export const AnswersPage = (type: Type, description = "A page") =>
  applyDecorators(ApiExtraModels(type), ApiResponse({ status: 200, description, schema: pageOf(type) }));

/** Documents an optional field that has a page of a list, as the list's own operation answers it. */
export const PageOf = (type: Type): PropertyDecorator =>
  ApiProperty({ ...pageOf(type), selfRequired: false } as ApiPropertyOptions);

/** Documents an answer that is an HTML page. */
export const AnswersHtml = (status: number, description: string) =>
  ApiResponse({ status, description, content: { "text/html": { schema: { type: "string" } } } });

/** Documents failures that are not common to all operations of this kind. */
export const Fails = (...statuses: number[]) =>
  applyDecorators(
    ...statuses.map((status) =>
      ApiResponse({ status, description: FAILURES[status]!.description, type: ErrorResponseDto }),
    ),
  );

/** Documents the acknowledgement of an action. */
export const AnswersOk = (description = "Done", status = 200) => Answers(OkDto, { status, description });

/** Documents that the answer sets a cookie. */
export const SetsCookie = (): MethodDecorator => ApiExtension("x-sets-cookie", true);
