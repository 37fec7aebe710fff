import { Module } from "@nestjs/common";
import { AttentionItemsController } from "./attention-items.controller.js";
import { AttentionItemsService } from "./attention-items.service.js";

@Module({
  controllers: [AttentionItemsController],
  providers: [AttentionItemsService],
  exports: [AttentionItemsService],
})
export class AttentionModule {}
