import { joined, type Parameter, type Parameters, type Sql, sql, TENANT } from "../platform/database/sql.js";
import {
  namesUsed,
  one,
  page,
  type PageRead,
  polled,
  projection,
  query,
  statementFamily,
  time,
} from "../platform/database/statements.js";
import type { AccountDto, AccountSort, UpdateAccountDto } from "./accounts.dto.js";
import { isBehindHit, oneByOne } from "./contact-list.queries.js";
import {
  accountInReach,
  contactInReach,
  isListed,
  IS_UNRESTRICTED,
  SEARCHED_WORKSPACES,
  type Self,
} from "./contact-reach.js";

const COUNT_CONTACTS = sql`
    select count(*)::int from contact k where k.tenant_id = ${TENANT} and k.account_id = r.id and ${isListed("k")}`;

/** An account `r`. Its contacts are counted from an index alone, except for a restricted caller. */
export const account = (self: Parameter) =>
  projection<AccountDto>({
    id: sql`r.id`,
    externalId: sql`r.external_id`,
    name: sql`r.name`,
    domains: sql`r.domains`,
    industry: sql`r.industry`,
    plan: sql`r.plan`,
    attributes: sql`r.attributes`,
    contactCount: sql`
    case when ${IS_UNRESTRICTED} then (${COUNT_CONTACTS}) else (${COUNT_CONTACTS} and ${contactInReach("k", self)}) end`,
    createdAt: time(sql`r.created_at`),
    updatedAt: time(sql`r.updated_at`),
  });

export const GET_ACCOUNT = polled(
  one<AccountDto, Self & { id: string }>(
    "accounts.get",
    "restricted",
    ({ self, id }) => sql`
      select ${account(self)} from account r where r.tenant_id = ${TENANT} and r.id = ${id} and ${accountInReach(self)}`,
  ),
);

interface AccountFilters {
  sort: AccountSort;
  externalId?: string;
  industry?: string;
  plan?: string;
}
type ListArgs = Self & AccountFilters;
/** What the accounts of a list are found by. Each has its index, in each order. */
const FILTERS = {
  externalId: (p: Parameters<ListArgs>) => sql` and r.external_id = ${p.externalId}`,
  industry: (p: Parameters<ListArgs>) => sql` and r.industry = ${p.industry}`,
  plan: (p: Parameters<ListArgs>) => sql` and r.plan = ${p.plan}`,
};
type Filter = keyof typeof FILTERS;
const LISTS = statementFamily("accounts.list", (name, sort: AccountSort, used: readonly Filter[], isNext: boolean) =>
  polled(
    page<AccountDto, ListArgs>(name, "restricted", (p) => {
      const byName = sort === "name";
      const at = byName ? sql`r.sort_name` : sql`r.created_at`;
      const after = byName
        ? sql` and (r.sort_name, r.id) > (${p.after0}::text, ${p.after1}::uuid)`
        : sql` and (r.created_at, r.id) < (${p.after0}::timestamptz, ${p.after1}::uuid)`;
      return {
        list: "accounts.list",
        rows: sql`
            select r.* from account r
            where r.tenant_id = ${TENANT}${joined(
              used.map((filter) => FILTERS[filter](p)),
              "",
            )}${isNext ? after : sql``}
              and ${accountInReach(p.self)}
            order by ${byName ? sql`r.sort_name, r.id` : sql`r.created_at desc, r.id desc`} limit ${p.limit} + 1`,
        position: [at, sql`r.id`],
        item: account(p.self),
      };
    }),
  ),
);
/** Each order reads its own index. */
export const listStatement = ({ sort, ...filters }: AccountFilters, isNext: boolean): PageRead<ListArgs, AccountDto> =>
  LISTS(sort, namesUsed(FILTERS, filters), isNext);

/** Closest first, then newest first. */
export const SEARCH_ACCOUNTS = polled(
  page<AccountDto, Self & { q: string }>("accounts.search", "restricted", (p) => ({
    rows: sql`
      select r.*, s.class
      from search_directory('account', ${p.q}, ${p.self}, ${SEARCHED_WORKSPACES}) s
        cross join lateral (${oneByOne("account", "s")}) r
      where ${isBehindHit(p)}
      order by s.class, r.created_at desc, r.id desc limit ${p.limit} + 1`,
    position: [sql`r.class`, sql`r.created_at`, sql`r.id`],
    item: account(p.self),
  })),
);

/**
 * The account with this externalId. A caller that does not reach it must not learn which one it is: `id` is null.
 */
export const FIND_BY_EXTERNAL_ID = query<Self & { externalId: string }>()(
  "accounts.findByExternalId",
  { unrestricted: "it names the account only to a caller that reaches it" },
  ({ self, externalId }) => sql`
    select case when ${accountInReach(self)} then r.id end as id from account r
    where r.tenant_id = ${TENANT} and r.external_id = ${externalId}`,
);

/** Each field that PATCH takes, with its type in the database: what is missing here does not compile. `attributes` is JSON. */
export type AccountChange = Omit<UpdateAccountDto, "attributes"> & { attributes?: string };
export const ACCOUNT_CHANGES: Record<keyof AccountChange, (p: Parameters<AccountChange>) => Sql> = {
  externalId: (p) => sql`external_id = ${p.externalId}`,
  name: (p) => sql`name = ${p.name}`,
  domains: (p) => sql`domains = ${p.domains}::text[]`,
  industry: (p) => sql`industry = ${p.industry}`,
  plan: (p) => sql`plan = ${p.plan}`,
  attributes: (p) => sql`attributes = ${p.attributes}::jsonb`,
};

export const updateStatement = (change: AccountChange) => UPDATES(namesUsed(ACCOUNT_CHANGES, change));

const UPDATES = statementFamily("accounts.update", (name, names: readonly (keyof AccountChange)[]) =>
  query<AccountChange & Self & { id: string }, { id: string }>()(
    name,
    "restricted",
    (p) => sql`
      update account r set ${joined(
        names.map((field) => sql`${ACCOUNT_CHANGES[field](p)}, `),
        "",
      )}updated_at = now()
      where r.tenant_id = ${TENANT} and r.id = ${p.id} and ${accountInReach(p.self)}
      returning r.id`,
  ),
);
