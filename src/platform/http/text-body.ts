import { applyDecorators, SetMetadata } from "@nestjs/common";
import { ApiBody, ApiConsumes } from "@nestjs/swagger";

export const TAKES_TEXT = "parley:takes-text";
/** What a route takes in place of JSON. */
export interface TextBody {
  types: readonly string[];
  maxBytes: number;
}

/** The route's body is text of one of these types; its bytes are the request's `rawBody`. */
export const TakesText = (body: TextBody, description: string): MethodDecorator =>
  applyDecorators(
    SetMetadata(TAKES_TEXT, body),
    ApiConsumes(...body.types),
    ApiBody({ schema: { type: "string", description } }),
  );
