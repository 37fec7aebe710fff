import { ApiProperty } from '@nestjs/swagger';
import type { Environment } from '../caller/caller.js';

export class TenantDto {
  /** Of this side: the live and the test side have ids of their own. */
  @ApiProperty({ format: 'uuid' })
  id: string;
  name: string;
  @ApiProperty({ enum: ['live', 'test'] })
  environment: Environment;
  /** The public key (Ed25519, PEM) that this side's erasure certificates are verified with. */
  @ApiProperty({ example: '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA…\n-----END PUBLIC KEY-----\n' })
  erasureKey: string;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;
}
