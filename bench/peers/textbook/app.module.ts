import { Module } from "@nestjs/common";
import { TypeOrmModule } from "@nestjs/typeorm";
import { ApiKey, ApiKeyLookup } from "./api-key.entity.js";
import { Channel, Contact, Conversation } from "./conversation.entity.js";
import { ConversationsController } from "./conversations.controller.js";
import { ConversationsService } from "./conversations.service.js";

const entities = [ApiKey, ApiKeyLookup, Channel, Contact, Conversation];

@Module({
  imports: [
    TypeOrmModule.forRoot({ type: "postgres", url: process.env.DATABASE_URL, entities }),
    TypeOrmModule.forFeature(entities),
  ],
  controllers: [ConversationsController],
  providers: [ConversationsService],
})
export class AppModule {}
