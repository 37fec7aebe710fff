import { ConflictException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { type Caller, callerId } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import { one, page, polled, projection, time } from "../platform/database/statement.js";
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
  ACCOUNT_IN_REACH,
  contactInReach,
  listed,
  OF_ACCOUNT,
  oneByOne,
  PLACES,
  type SearchArgs,
  type Self,
  UNRESTRICTED,
} from "./contacts.queries.js";

const CONTACTS = `select count(*)::int from contact k where k.tenant_id = r.tenant_id and k.account_id = r.id and ${listed("k")}`;

/** An account `r`. Contacts are counted within their index, but for a restricted caller. */
const ACCOUNT = projection<AccountDto>({
  id: "r.id",
  externalId: "r.external_id",
  name: "r.name",
  domains: "r.domains",
  industry: "r.industry",
  plan: "r.plan",
  attributes: "r.attributes",
  contactCount: `case when ${UNRESTRICTED} then (${CONTACTS}) else (${CONTACTS} and ${contactInReach("k")}) end`,
  createdAt: time("r.created_at"),
  updatedAt: time("r.updated_at"),
});

const GET = polled(
  one<AccountDto, Self & { id: string }>(
    "accounts.get",
    "workspace",
    `select ${ACCOUNT} from account r where r.tenant_id = :tenant and r.id = :id and ${ACCOUNT_IN_REACH}`,
  ),
);
const LIST = polled(
  page<AccountDto, Self & { externalId?: string; limit: number }>("accounts.list", "workspace", {
    rows: `select r.* from account r where r.tenant_id = :tenant and (:externalId::text is null or r.external_id = :externalId) and ${ACCOUNT_IN_REACH}
      and (:after0::timestamptz is null or (r.created_at, r.id) < (:after0::timestamptz, :after1::uuid))
    order by r.created_at desc, r.id desc limit :limit + 1`,
    position: [time("r.created_at"), "r.id"],
    item: ACCOUNT,
  }),
);
const SEARCH = polled(
  page<AccountDto, SearchArgs>("accounts.search", "workspace", {
    rows: `select r.*, s.class from search_directory('account', :q, :self, ${PLACES}) s cross join lateral (${oneByOne("account", "s")}) r
    where :after0::int is null or s.class > :after0::int or (s.class = :after0::int and (r.created_at, r.id) < (:after1::timestamptz, :after2::uuid))
    order by s.class, r.created_at desc, r.id desc limit :limit + 1`,
    position: ["r.class", time("r.created_at"), "r.id"],
    item: ACCOUNT,
  }),
);

const EXISTS = "An account with this externalId exists already";
/** What a change may set, with its column. */
const COLUMNS = {
  externalId: "external_id = :externalId",
  name: "name = :name",
  domains: "domains = :domains::text[]",
  industry: "industry = :industry",
  plan: "plan = :plan",
  attributes: "attributes = :attributes::jsonb",
} as const;

@Injectable()
export class AccountsService {
  constructor(private readonly db: Database) {}

  /** Newest first. */
  list(caller: Caller, { externalId, limit = 25, cursor }: ListAccountsDto): Promise<Json<Page<AccountDto>>> {
    return this.db.page(caller, LIST, { externalId, self: callerId(caller) }, { limit, cursor });
  }

  /** Closest first. */
  search(caller: Caller, { q, limit = 25, cursor }: SearchAccountsDto): Promise<Json<Page<AccountDto>>> {
    return this.db.page(caller, SEARCH, { q, self: callerId(caller) }, { limit, cursor });
  }

  get(caller: Caller, id: string): Promise<Json<AccountDto>> {
    return this.db.read(caller, GET, { id, self: callerId(caller) });
  }

  /** Newest first. */
  contacts(caller: Caller, accountId: string, { limit = 25, cursor }: PagingDto): Promise<Json<Page<ContactDto>>> {
    return this.db.page(caller, OF_ACCOUNT, { accountId, self: callerId(caller) }, { limit, cursor });
  }

  /** @throws ConflictException: the externalId is taken */
  create(caller: Caller, body: CreateAccountDto): Promise<Json<AccountDto>> {
    return this.db.transaction(caller, async (tx) => {
      if (body.externalId) await this.assertFree(tx, body.externalId);
      const id = uuid();
      await tx.insert(AccountEntity, { ...body, id, createdBy: callerId(caller) });
      return (await tx.read(GET, { id, self: callerId(caller) })).created();
    });
  }

  /** What is given replaces what was. @throws NotFoundException, ConflictException: the externalId is taken */
  update(caller: Caller, id: string, body: UpdateAccountDto): Promise<Json<AccountDto>> {
    const names = (Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).filter((name) => body[name] !== undefined);
    if (!names.length) return this.get(caller, id);
    return this.db.transaction(caller, async (tx) => {
      if (body.externalId) await this.assertFree(tx, body.externalId, id);
      const [changed] = await tx.query(
        `update account r set ${names.map((name) => COLUMNS[name]).join(", ")}, updated_at = now()
        where r.tenant_id = :tenant and r.id = :id and ${ACCOUNT_IN_REACH} returning r.id`,
        { ...body, attributes: JSON.stringify(body.attributes), id, self: callerId(caller) },
      );
      if (!changed) throw notFound();
      return tx.read(GET, { id, self: callerId(caller) });
    });
  }

  /** Of two at once the second fails on the unique key, and its transaction is run again and finds the first here. */
  private async assertFree(tx: Tx, externalId: string, id?: string): Promise<void> {
    const [other] = await tx.query(
      "select 1 from account where tenant_id = :tenant and external_id = :externalId and id is distinct from :id::uuid",
      { externalId, id },
    );
    if (other) throw new ConflictException(EXISTS);
  }
}
