import { Module } from '@nestjs/common';
import { OutboxModule } from '../outbox/outbox.module.js';
import { CapturedMessagesController } from './captured-messages.controller.js';

@Module({ imports: [OutboxModule], controllers: [CapturedMessagesController] })
export class CapturedMessagesModule {}
