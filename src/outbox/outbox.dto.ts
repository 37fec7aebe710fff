import { ApiProperty } from '@nestjs/swagger';

/** A message that would have left for the outside. */
export class CapturedMessageDto {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ enum: ['email'] })
  channel: 'email';
  /** Address of the recipient. */
  to: string;
  subject: string;
  body: string;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;
}
