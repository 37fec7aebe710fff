import { BadRequestException, Injectable, type PipeTransform, ValidationPipe } from '@nestjs/common';
import { Transform } from 'class-transformer';
import type { ValidationError } from 'class-validator';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** An id in a path: anything but a UUID is 400, before anything is looked up. */
@Injectable()
export class IdPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (!UUID.test(value)) throw new BadRequestException('The id in the path is not a UUID');
    return value.toLowerCase();
  }
}

/**
 * Bodies and queries against their classes. What a class does not name is refused, so that a misspelt field does not
 * pass in silence; only what others define, such as a provider's events, may hold more than we know of.
 */
export const validationPipe = (unknownFields: 'refuse' | 'ignore' = 'refuse'): ValidationPipe =>
  new ValidationPipe({
    transform: true, whitelist: true, forbidNonWhitelisted: unknownFields === 'refuse', forbidUnknownValues: true, stopAtFirstError: true,
    exceptionFactory: (errors) => new BadRequestException(errors.flatMap((error) => sentences(error)).join('; ')),
  });

function sentences(error: ValidationError, path = ''): string[] {
  const own = Object.values(error.constraints ?? {}).map((sentence) => path + sentence);
  return [...own, ...(error.children ?? []).flatMap((child) => sentences(child, `${path}${error.property}.`))];
}

/** A text that is trimmed before it is measured. */
export const Trimmed = (): PropertyDecorator => Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));
