import { Module } from "@nestjs/common";
import { Mailer } from "./mailer.js";
import { Outbox } from "./outbox.service.js";
import { OutboxWorker } from "./outbox.worker.js";

@Module({ providers: [Mailer, Outbox, OutboxWorker], exports: [Mailer, Outbox] })
export class OutboxModule {}
