import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query, Req } from "@nestjs/common";
import { ApiTags } from "@nestjs/swagger";
import { CurrentCaller, RequireScope } from "../auth/access/access.js";
import type { Caller } from "../platform/caller/caller.js";
import { ADMINS } from "../platform/caller/scope.js";
import type { Json, Page } from "../platform/http/json.js";
import { Answers, AnswersPage } from "../platform/http/openapi.js";
import type { Request } from "../platform/http/request.js";
import { TakesText } from "../platform/http/text-body.js";
import { IdPipe } from "../platform/http/validation.js";
import {
  ContactDto,
  CreateContactDto,
  LinkAccountDto,
  ListContactsDto,
  SearchContactsDto,
  UpdateContactDto,
} from "./contacts.dto.js";
import { ContactImportReportDto } from "./import.dto.js";
import { IMPORT, ImportService } from "./import.service.js";
import { ContactsService } from "./contacts.service.js";

@ApiTags("Contacts")
@Controller("api/contacts")
export class ContactsController {
  constructor(
    private readonly contacts: ContactsService,
    private readonly imports: ImportService,
  ) {}

  /** List contacts, newest first. A restricted caller sees those that appear in its workspaces, or that it made. */
  @Get()
  @RequireScope("contacts:read")
  @AnswersPage(ContactDto)
  list(@CurrentCaller() caller: Caller, @Query() query: ListContactsDto): Promise<Json<Page<ContactDto>>> {
    return this.contacts.list(caller, query);
  }

  /**
   * Search contacts by name, email, phone and your own id: words in any order, parts of addresses and numbers, and a slip of
   * the keys. Exact ones first, then by how close they are, newest first; at most 300.
   */
  @Get("search")
  @RequireScope("contacts:read")
  @AnswersPage(ContactDto)
  search(@CurrentCaller() caller: Caller, @Query() query: SearchContactsDto): Promise<Json<Page<ContactDto>>> {
    return this.contacts.search(caller, query);
  }

  /** Read one contact. One that was merged names the survivor in `mergedIntoId`. */
  @Get(":id")
  @RequireScope("contacts:read")
  @Answers(ContactDto)
  get(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<ContactDto>> {
    return this.contacts.get(caller, id);
  }

  /** Create a contact. An `externalId` that exists already is 409. */
  @Post()
  @RequireScope("contacts:write")
  @Answers(ContactDto, { status: 201 })
  create(@CurrentCaller() caller: Caller, @Body() body: CreateContactDto): Promise<Json<ContactDto>> {
    return this.contacts.create(caller, body);
  }

  /**
   * Import contacts: the good lines in, all at once, and a report line by line that says what is wrong with each of the others. A line
   * whose `externalId` exists already is refused, so that the same file does no harm twice. At most 20,000 lines and 10 MB. CSV
   * (RFC 4180, with `,`, `;` or tabs) names its columns in the first line: externalId, name, emails, phones, language, labels and
   * attributes.<name>; several values of one field are separated by `|`. NDJSON has on each line the body of `POST /api/contacts`.
   * Of members only owners and admins may.
   */
  @Post("import")
  @HttpCode(200)
  @RequireScope("contacts:write", ADMINS)
  @TakesText(IMPORT, "CSV, or one JSON object a line, in UTF-8")
  @Answers(ContactImportReportDto)
  import(@CurrentCaller() caller: Caller, @Req() { rawBody, headers }: Request): Promise<Json<ContactImportReportDto>> {
    return this.imports.import(caller, headers["content-type"]!, rawBody!);
  }

  /** Change a contact. One that was merged is 409. */
  @Patch(":id")
  @RequireScope("contacts:write")
  @Answers(ContactDto)
  update(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: UpdateContactDto,
  ): Promise<Json<ContactDto>> {
    return this.contacts.update(caller, id, body);
  }

  /** Link a contact to an account, in place of the one that it was linked to. */
  @Put(":id/account")
  @RequireScope("contacts:write")
  @Answers(ContactDto)
  link(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() { accountId }: LinkAccountDto,
  ): Promise<Json<ContactDto>> {
    return this.contacts.link(caller, id, accountId);
  }

  /** Take a contact off its account. */
  @Delete(":id/account")
  @RequireScope("contacts:write")
  @Answers(ContactDto)
  unlink(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<ContactDto>> {
    return this.contacts.unlink(caller, id);
  }
}
