import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../auth/access/access.js";
import type { Caller } from "../platform/caller/caller.js";
import type { Json, Page } from "../platform/http/json.js";
import { Answers, AnswersPage, Fails } from "../platform/http/openapi.js";
import { Tag } from "../platform/http/openapi/tags.js";
import { PagingDto } from "../platform/http/paging.dto.js";
import { IdPipe } from "../platform/http/validation.js";
import { AccountDto, CreateAccountDto, ListAccountsDto, SearchAccountsDto, UpdateAccountDto } from "./accounts.dto.js";
import { AccountsService } from "./accounts.service.js";
import { AccountsChangedDto, ChangeAccountsDto } from "./bulk-accounts.dto.js";
import { BulkAccountsService } from "./bulk-accounts.service.js";
import { ContactDto } from "./contacts.dto.js";

@Tag("Accounts", ["accounts"], { order: 70, description: "The companies that contacts belong to." })
@Controller("api/accounts")
export class AccountsController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly bulk: BulkAccountsService,
  ) {}

  /**
   * List accounts, newest first unless you sort them. A restricted caller sees the accounts of contacts that it has access to, and those
   * that it created.
   */
  @Get()
  @RequireScope("accounts:read")
  @AnswersPage(AccountDto)
  list(@CurrentCaller() caller: Caller, @Query() query: ListAccountsDto): Promise<Json<Page<AccountDto>>> {
    return this.accounts.list(caller, query);
  }

  /** Search accounts by name, domain and your own id. It works like the search of contacts. */
  @Get("search")
  @RequireScope("accounts:read")
  @AnswersPage(AccountDto)
  search(@CurrentCaller() caller: Caller, @Query() query: SearchAccountsDto): Promise<Json<Page<AccountDto>>> {
    return this.accounts.search(caller, query);
  }

  /** Read one account. */
  @Get(":id")
  @RequireScope("accounts:read")
  @Answers(AccountDto)
  get(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<AccountDto>> {
    return this.accounts.get(caller, id);
  }

  /** List the contacts of an account, newest first. A restricted caller sees those that it has access to. */
  @Get(":id/contacts")
  @RequireScope("accounts:read")
  @AnswersPage(ContactDto)
  listContacts(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Query() query: PagingDto,
  ): Promise<Json<Page<ContactDto>>> {
    return this.accounts.contacts(caller, id, query);
  }

  /**
   * Create an account. If an account within your reach has the `externalId`, the answer is 409. If one out of reach has
   * it, the new account has no `externalId`.
   */
  @Post()
  @RequireScope("accounts:write")
  @Answers(AccountDto, { status: 201 })
  create(@CurrentCaller() caller: Caller, @Body() body: CreateAccountDto): Promise<Json<AccountDto>> {
    return this.accounts.create(caller, body);
  }

  /**
   * Change up to 100 accounts in one transaction. The contacts of a deleted account stay, without an account. Only callers with access to all
   * workspaces delete accounts.
   */
  @Post("bulk-actions")
  @HttpCode(200)
  @RequireScope("accounts:write")
  @Answers(AccountsChangedDto)
  @Fails(409)
  changeMany(@CurrentCaller() caller: Caller, @Body() body: ChangeAccountsDto): Promise<Json<AccountsChangedDto>> {
    return this.bulk.change(caller, body);
  }

  /** Change an account. */
  @Patch(":id")
  @RequireScope("accounts:write")
  @Answers(AccountDto)
  update(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: UpdateAccountDto,
  ): Promise<Json<AccountDto>> {
    return this.accounts.update(caller, id, body);
  }
}
