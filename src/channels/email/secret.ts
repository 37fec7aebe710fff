import { IsString, Length, Matches } from "class-validator";

/** A password, or what takes its place: one line. */
export const Secret = (): PropertyDecorator => (target, name) => {
  IsString()(target, name);
  Length(1, 1_000)(target, name);
  Matches(/^[^\r\n\0]*$/, { message: `${String(name)} must be one line` })(target, name);
};
