import { Module } from "@nestjs/common";
import { Mailer } from "./mailer.js";
import { OutboxMetrics } from "./outbox-metrics.js";
import { OutboxService } from "./outbox.service.js";
import { OwnMailKind } from "./own-mail.kind.js";
import { OutboxWorker } from "./outbox.worker.js";

@Module({
  providers: [Mailer, OutboxService, OutboxMetrics, OwnMailKind, OutboxWorker],
  exports: [Mailer, OutboxService],
})
export class OutboxModule {}
