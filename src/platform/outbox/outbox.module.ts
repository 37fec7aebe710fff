import { Module } from "@nestjs/common";
import { Mailer } from "./mailer.js";
import { OutboxMetrics } from "./outbox-metrics.js";
import { Outbox } from "./outbox.service.js";
import { OwnMailKind } from "./own-mail.kind.js";
import { OutboxWorker } from "./outbox.worker.js";

@Module({ providers: [Mailer, Outbox, OutboxMetrics, OwnMailKind, OutboxWorker], exports: [Mailer, Outbox] })
export class OutboxModule {}
