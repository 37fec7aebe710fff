import { Module } from '@nestjs/common';
import { Outbox } from './outbox.service.js';
import { OutboxWorker } from './outbox.worker.js';

@Module({ providers: [Outbox, OutboxWorker], exports: [Outbox] })
export class OutboxModule {}
