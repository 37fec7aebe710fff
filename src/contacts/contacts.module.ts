import { Module } from "@nestjs/common";
import { AccountsController } from "./accounts.controller.js";
import { AccountsService } from "./accounts.service.js";
import { ContactsController } from "./contacts.controller.js";
import { ContactsService } from "./contacts.service.js";
import { ImportService } from "./import.service.js";

@Module({
  controllers: [ContactsController, AccountsController],
  providers: [ContactsService, AccountsService, ImportService],
  exports: [ContactsService],
})
export class ContactsModule {}
