import { Module } from "@nestjs/common";
import { AccountsController } from "./accounts.controller.js";
import { AccountsService } from "./accounts.service.js";
import { BulkAccountsService } from "./bulk-accounts.service.js";
import { BulkContactsService } from "./bulk-contacts.service.js";
import { ContactsController } from "./contacts.controller.js";
import { ContactsService } from "./contacts.service.js";
import { DeletionService } from "./deletion.service.js";
import { ImportService } from "./import.service.js";
import { MergeService } from "./merge.service.js";
import { PeopleController } from "./people.controller.js";

@Module({
  controllers: [ContactsController, AccountsController, PeopleController],
  providers: [
    ContactsService,
    AccountsService,
    ImportService,
    MergeService,
    DeletionService,
    BulkContactsService,
    BulkAccountsService,
  ],
  exports: [ContactsService, DeletionService],
})
export class ContactsModule {}
