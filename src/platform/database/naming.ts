import { DefaultNamingStrategy, type NamingStrategyInterface } from "typeorm";
import { snakeCase } from "typeorm/util/StringUtils.js";

/** Maps `lastActivityAt` to the column `last_activity_at`. Entities name their tables in their decorators. */
export class SnakeCase extends DefaultNamingStrategy implements NamingStrategyInterface {
  override columnName(propertyName: string, customName: string | undefined): string {
    return customName ?? snakeCase(propertyName);
  }
}
