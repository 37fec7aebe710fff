import { Module } from "@nestjs/common";
import { AttentionItemsController } from "./attention-items.controller.js";
import { AttentionItemsService } from "./attention-items.service.js";
import { AttentionPersonalData } from "./attention.personal-data.js";

@Module({
  controllers: [AttentionItemsController],
  providers: [AttentionItemsService, AttentionPersonalData],
  exports: [AttentionItemsService],
})
export class AttentionModule {}
