import { applyDecorators } from "@nestjs/common";
import { ApiProperty } from "@nestjs/swagger";
import { Transform } from "class-transformer";
import { ArrayMaxSize, ArrayUnique, IsArray, ValidateBy } from "class-validator";
import { each, Optional } from "./validation.js";

/** @returns the origin as browsers write it; null if the text is not exactly one origin */
function originOf(text: string): string | null {
  if (text.includes("*")) return null;
  try {
    const { protocol, origin, href } = new URL(text.trim());
    return ["https:", "http:"].includes(protocol) && href === `${origin}/` ? origin : null;
  } catch {
    return null;
  }
}

const isOrigin = (value: unknown): boolean => typeof value === "string" && originOf(value) === value;

/** The origins whose pages may use an embedded widget or chat. */
export const AllowedOrigins = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: [String], required: false, example: ["https://www.example.com"] }),
    Optional(),
    Transform(each((text) => originOf(text) ?? text)),
    IsArray(),
    ArrayMaxSize(50),
    ArrayUnique(),
    ValidateBy(
      {
        name: "origin",
        validator: {
          validate: isOrigin,
          defaultMessage: () =>
            "each value in allowedOrigins must be an origin, scheme and host and perhaps a port, such as https://www.example.com",
        },
      },
      { each: true },
    ),
  );
