import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query, Req } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../auth/access/access.js";
import { OneRead } from "../auth/access/known-polls.js";
import type { Caller } from "../platform/caller/caller.js";
import { ADMINS } from "../platform/caller/scope.js";
import type { Json, Page } from "../platform/http/json.js";
import { Answers, AnswersPage, Fails } from "../platform/http/openapi.js";
import { Tag } from "../platform/http/openapi/tags.js";
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

@Tag("Contacts", ["contacts"], {
  order: 60,
  description: "The people who write to you. Contacts can be imported, merged, exported and erased.",
})
@Controller("api/contacts")
export class ContactsController {
  constructor(
    private readonly contacts: ContactsService,
    private readonly imports: ImportService,
  ) {}

  /**
   * List contacts, newest first unless you sort them. A restricted caller sees the contacts that appear in its
   * workspaces and those that it created.
   */
  @Get()
  @RequireScope("contacts:read")
  @OneRead()
  @AnswersPage(ContactDto)
  list(@CurrentCaller() caller: Caller, @Query() query: ListContactsDto): Promise<Json<Page<ContactDto>>> {
    return this.contacts.list(caller, query);
  }

  /**
   * Search contacts by name, email, phone and your own id. It finds words in any order and parts of addresses and
   * numbers, and allows one typo per word. Exact matches come first, then the closest, then the newest. At most 300
   * results.
   */
  @Get("search")
  @RequireScope("contacts:read")
  @AnswersPage(ContactDto)
  search(@CurrentCaller() caller: Caller, @Query() query: SearchContactsDto): Promise<Json<Page<ContactDto>>> {
    return this.contacts.search(caller, query);
  }

  /** Read one contact. A merged contact names the survivor in `mergedIntoId`. */
  @Get(":id")
  @RequireScope("contacts:read")
  @OneRead()
  @Answers(ContactDto)
  get(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<ContactDto>> {
    return this.contacts.get(caller, id);
  }

  /**
   * Create a contact. If a contact within your reach has the `externalId`, the answer is 409. If one out of reach has it,
   * the new contact has no `externalId`.
   */
  @Post()
  @RequireScope("contacts:write")
  @Answers(ContactDto, { status: 201 })
  create(@CurrentCaller() caller: Caller, @Body() body: CreateContactDto): Promise<Json<ContactDto>> {
    return this.contacts.create(caller, body);
  }

  /**
   * Import contacts. All valid lines are added in one transaction. The report says for each other line what is wrong
   * with it. A line is refused if a contact within your reach has its `externalId`, so importing the same file again
   * does no harm. If a contact out of reach has it, the line becomes a contact without `externalId`. At most 20,000 lines
   * and 10 MB.
   *
   * CSV (RFC 4180, separated by `,`, `;` or tabs) names its columns in the first line: externalId, name, emails,
   * phones, language, labels and attributes.<name>. Separate several values of one field with `|`. NDJSON has the
   * body of `POST /api/contacts` on each line. Among members, only owners and admins may import.
   */
  @Post("import")
  @HttpCode(200)
  @RequireScope("contacts:write", ADMINS)
  @TakesText(IMPORT, "CSV, or one JSON object a line, in UTF-8")
  @Answers(ContactImportReportDto)
  import(@CurrentCaller() caller: Caller, @Req() { rawBody, headers }: Request): Promise<Json<ContactImportReportDto>> {
    return this.imports.import(caller, headers["content-type"]!, rawBody!);
  }

  /** Change a contact. A merged contact is 409. */
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

  /** Link a contact to an account. This replaces the link to another account. */
  @Put(":id/account")
  @RequireScope("contacts:write")
  @Answers(ContactDto)
  @Fails(409)
  linkAccount(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() { accountId }: LinkAccountDto,
  ): Promise<Json<ContactDto>> {
    return this.contacts.link(caller, id, accountId);
  }

  /** Remove a contact's link to its account. */
  @Delete(":id/account")
  @RequireScope("contacts:write")
  @Answers(ContactDto)
  @Fails(409)
  unlinkAccount(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<ContactDto>> {
    return this.contacts.unlink(caller, id);
  }
}
