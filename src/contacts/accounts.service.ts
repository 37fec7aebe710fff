import { ConflictException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { type Caller, callerId } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import type { Tx } from "../platform/database/transaction.js";
import { notFound } from "../platform/http/errors.js";
import type { Json, Page } from "../platform/http/json.js";
import type { PagingDto } from "../platform/http/paging.dto.js";
import { AccountEntity } from "./account.entity.js";
import type {
  AccountDto,
  CreateAccountDto,
  ListAccountsDto,
  SearchAccountsDto,
  UpdateAccountDto,
} from "./accounts.dto.js";
import type { ContactDto } from "./contacts.dto.js";
import {
  type AccountChange,
  FIND_BY_EXTERNAL_ID,
  GET_ACCOUNT,
  listStatement,
  SEARCH_ACCOUNTS,
  updateStatement,
} from "./accounts.queries.js";
import { LIST_OF_ACCOUNT } from "./contact-list.queries.js";

const EXTERNAL_ID_TAKEN = "An account with this externalId exists already";
@Injectable()
export class AccountsService {
  constructor(private readonly db: Database) {}

  list(
    caller: Caller,
    { sort = "recent", externalId, industry, plan, limit = 25, cursor }: ListAccountsDto,
  ): Promise<Json<Page<AccountDto>>> {
    const filters = { sort, externalId, industry, plan };
    return this.db.page(
      caller,
      listStatement(filters, cursor !== undefined),
      { ...filters, self: callerId(caller) },
      { limit, cursor },
    );
  }

  /** Closest first. */
  search(caller: Caller, { q, limit = 25, cursor }: SearchAccountsDto): Promise<Json<Page<AccountDto>>> {
    return this.db.page(caller, SEARCH_ACCOUNTS, { q, self: callerId(caller) }, { limit, cursor });
  }

  get(caller: Caller, id: string): Promise<Json<AccountDto>> {
    return this.db.read(caller, GET_ACCOUNT, { id, self: callerId(caller) });
  }

  /** Newest first. */
  contacts(caller: Caller, accountId: string, { limit = 25, cursor }: PagingDto): Promise<Json<Page<ContactDto>>> {
    return this.db.page(
      caller,
      LIST_OF_ACCOUNT[cursor === undefined ? "first" : "next"],
      { accountId, self: callerId(caller) },
      { limit, cursor },
    );
  }

  /**
   * If an account out of reach has the externalId, the new one has none.
   * @throws ConflictException: an account within reach has the externalId
   */
  create(caller: Caller, body: CreateAccountDto): Promise<Json<AccountDto>> {
    return this.db.transaction(caller, async (tx) => {
      const id = uuid();
      const externalId = body.externalId && (await this.mayTake(tx, body.externalId, id)) ? body.externalId : null;
      await tx.insert(AccountEntity, { ...body, externalId, id, createdBy: callerId(caller) });
      return (await tx.read(GET_ACCOUNT, { id, self: callerId(caller) })).created();
    });
  }

  /**
   * Replaces the fields that are given. An externalId that an account out of reach has is not taken.
   * @throws NotFoundException, ConflictException: an account within reach has the externalId
   */
  update(caller: Caller, id: string, { attributes, ...fields }: UpdateAccountDto): Promise<Json<AccountDto>> {
    const given: AccountChange = { ...fields, attributes: attributes && JSON.stringify(attributes) };
    if (Object.values(given).every((value) => value === undefined)) return this.get(caller, id);
    return this.db.transaction(caller, async (tx) => {
      const taken = !given.externalId || (await this.mayTake(tx, given.externalId, id));
      const change = taken ? given : { ...given, externalId: undefined };
      const [changed] = await tx.query(updateStatement(change), { ...change, id, self: callerId(caller) });
      if (!changed) throw notFound();
      return tx.read(GET_ACCOUNT, { id, self: callerId(caller) });
    });
  }

  /**
   * Whether the externalId is free, or the account's own. If two requests take a free one at the same time, the second
   * fails on the unique key. Its transaction runs again and finds the first here.
   * @throws ConflictException: another account within reach has it
   */
  private async mayTake(tx: Tx, externalId: string, id: string): Promise<boolean> {
    const [holder] = await tx.query(FIND_BY_EXTERNAL_ID, { externalId, self: callerId(tx.caller) });
    if (!holder || holder.id === id) return true;
    if (holder.id !== null) throw new ConflictException(EXTERNAL_ID_TAKEN);
    return false;
  }
}
