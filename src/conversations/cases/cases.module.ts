import { Module } from "@nestjs/common";
import { ContactsModule } from "../../contacts/contacts.module.js";
import { CaseTypesController } from "./case-types.controller.js";
import { CaseTypesService } from "./case-types.service.js";
import { CasesController } from "./cases.controller.js";
import { CasesService } from "./cases.service.js";
import { CasesPersonalData } from "./cases.personal-data.js";

@Module({
  imports: [ContactsModule],
  controllers: [CasesController, CaseTypesController],
  providers: [CasesService, CasesPersonalData, CaseTypesService],
  exports: [CasesService],
})
export class CasesModule {}
