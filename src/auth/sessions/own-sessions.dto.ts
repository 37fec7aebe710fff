import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { type Environment, ENVIRONMENTS } from "../../platform/caller/caller.js";

@ApiSchema({ description: "A session of yours, with the device that it is used on." })
export class OwnSessionDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  /** Whether you use this session now. */
  current: boolean;
  @ApiProperty({ enum: ENVIRONMENTS })
  environment: Environment;
  /** The browser and the system, or the program, that used the session last. */
  @ApiProperty({ example: "Firefox on Linux" })
  device: string;
  /** The IP address that the session was last opened or refreshed from. */
  @ApiProperty({ example: "203.0.113.7" })
  address: string;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
  /** To about a minute. */
  @ApiProperty({ format: "date-time" })
  lastUsedAt: string;
  /** When the session ends unless it is used before. */
  @ApiProperty({ format: "date-time" })
  expiresAt: string;
}
