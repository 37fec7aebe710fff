import { applyDecorators, SetMetadata } from "@nestjs/common";
import { ApiBody, ApiConsumes } from "@nestjs/swagger";

export const TAKES_TEXT = "parley:takes-text";
/** A body that a route takes instead of JSON. */
export interface TextBody {
  types: readonly string[];
  maxBytes: number;
}

/** The body of the route is text of one of these types. Its bytes are in `rawBody`. */
export const TakesText = (body: TextBody, description: string): MethodDecorator =>
  applyDecorators(
    SetMetadata(TAKES_TEXT, body),
    ApiConsumes(...body.types),
    ApiBody({ schema: { type: "string", description } }),
  );
