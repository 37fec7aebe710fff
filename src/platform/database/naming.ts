import { DefaultNamingStrategy, type NamingStrategyInterface } from "typeorm";
import { snakeCase } from "typeorm/util/StringUtils.js";

/** `lastActivityAt` is the column `last_activity_at`; an entity's table is named in its decorator. */
export class SnakeCase extends DefaultNamingStrategy implements NamingStrategyInterface {
  override columnName(propertyName: string, customName: string | undefined): string {
    return customName ?? snakeCase(propertyName);
  }
}
