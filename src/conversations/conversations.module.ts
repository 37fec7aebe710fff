import { Module } from '@nestjs/common';
import { AttachmentsModule } from '../attachments/attachments.module.js';
import { ContactsModule } from '../contacts/contacts.module.js';
import { ConversationsController } from './conversations.controller.js';
import { ConversationsService } from './conversations.service.js';
import { MessagesService } from './messages.service.js';
import { Succession } from './succession.js';

@Module({ imports: [ContactsModule, AttachmentsModule], controllers: [ConversationsController], providers: [ConversationsService, MessagesService, Succession], exports: [ConversationsService] })
export class ConversationsModule {}
