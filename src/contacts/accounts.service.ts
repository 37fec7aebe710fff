import { ConflictException, Injectable } from "@nestjs/common";
import { Not } from "typeorm";
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
  GET_ACCOUNT,
  LIST_ACCOUNTS,
  SEARCH_ACCOUNTS,
  updateStatement,
} from "./accounts.queries.js";
import { LIST_OF_ACCOUNT } from "./contacts.queries.js";

const EXTERNAL_ID_TAKEN = "An account with this externalId exists already";
@Injectable()
export class AccountsService {
  constructor(private readonly db: Database) {}

  /** Newest first. */
  list(caller: Caller, { externalId, limit = 25, cursor }: ListAccountsDto): Promise<Json<Page<AccountDto>>> {
    return this.db.page(caller, LIST_ACCOUNTS, { externalId, self: callerId(caller) }, { limit, cursor });
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
    return this.db.page(caller, LIST_OF_ACCOUNT, { accountId, self: callerId(caller) }, { limit, cursor });
  }

  /** @throws ConflictException: the externalId is taken */
  create(caller: Caller, body: CreateAccountDto): Promise<Json<AccountDto>> {
    return this.db.transaction(caller, async (tx) => {
      if (body.externalId) await this.assertFree(tx, body.externalId);
      const id = uuid();
      await tx.insert(AccountEntity, { ...body, id, createdBy: callerId(caller) });
      return (await tx.read(GET_ACCOUNT, { id, self: callerId(caller) })).created();
    });
  }

  /** Replaces the fields that are given. @throws NotFoundException, ConflictException: the externalId is taken */
  update(caller: Caller, id: string, { attributes, ...fields }: UpdateAccountDto): Promise<Json<AccountDto>> {
    const change: AccountChange = { ...fields, attributes: attributes && JSON.stringify(attributes) };
    if (Object.values(change).every((value) => value === undefined)) return this.get(caller, id);
    return this.db.transaction(caller, async (tx) => {
      if (change.externalId) await this.assertFree(tx, change.externalId, id);
      const [changed] = await tx.query(updateStatement(change), { ...change, id, self: callerId(caller) });
      if (!changed) throw notFound();
      return tx.read(GET_ACCOUNT, { id, self: callerId(caller) });
    });
  }

  /**
   * If two requests come at the same time, the second fails on the unique key. Its transaction runs again and finds
   * the first here.
   */
  private async assertFree(tx: Tx, externalId: string, id?: string): Promise<void> {
    const other = await tx.findOne(AccountEntity, { externalId, ...(id !== undefined && { id: Not(id) }) });
    if (other) throw new ConflictException(EXTERNAL_ID_TAKEN);
  }
}
