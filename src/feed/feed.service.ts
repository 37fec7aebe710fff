import { BadRequestException, ForbiddenException, GoneException, Injectable } from "@nestjs/common";
import { type Caller, callerId } from "../platform/caller/caller.js";
import { Config } from "../platform/config/config.js";
import { Database } from "../platform/database/database.js";
import { Cursors } from "../platform/http/cursor.js";
import { coded } from "../platform/http/error-codes.js";
import { Json } from "../platform/http/json.js";
import type { ChangesDto, ReadChangesDto } from "./feed.dto.js";
import type { Occurrence } from "./event-types.js";
import {
  BEGINNING,
  FEED_END,
  type Happened,
  headOf,
  type FeedHead,
  type Position,
  READ_FEED,
  READ_HAPPENINGS,
  READ_OCCURRENCES,
  READ_STEPS,
  READ_WHOLE_OCCURRENCES,
  type Step,
} from "./feed.queries.js";
import { CHANGES } from "./resource-change.entity.js";
import { readableBy, RESOURCE_TYPES, type ResourceType } from "./resources.js";

/** Stands for the end of the feed, in the place of a cursor. */
const NOW = "now";

/** A row of the feed, as text. */
interface Line {
  at: Position;
  json: string;
}

/** What happened since a position. */
export interface Occurrences<Row = Occurrence> {
  rows: (Row & { at: Position })[];
  next: Position;
  more: boolean;
  unsettled: boolean;
  epoch: string;
}

@Injectable()
export class FeedService {
  private readonly cursors: Cursors;

  constructor(
    private readonly db: Database,
    private readonly config: Config,
  ) {
    this.cursors = new Cursors(config.secretKeys);
  }

  /**
   * What changed, oldest first, as far as the caller may read it.
   * @throws ForbiddenException (a key without a scope that reads), BadRequestException (no cursor of this feed), GoneException
   */
  async read(caller: Caller, { after, limit = 100, workspaceId, types }: ReadChangesDto): Promise<Json<ChangesDto>> {
    const resourceTypes = requested(readableBy(caller), types);
    const from =
      after === undefined ? undefined : after === NOW ? await this.now(caller) : this.open(caller.tenantId, after);
    const [afterTransaction, afterPosition] = from?.position ?? BEGINNING;
    const answer = await this.db.read(caller, READ_FEED, {
      resumes: from !== undefined,
      afterTransaction,
      afterPosition,
      limit,
      workspaceId,
      resourceTypes,
      types: types && namedTypes(types),
      self: callerId(caller),
    });
    if (answer.status === 304) return Json.unchanged(answer.etag!);
    const { head, lines } = parse(answer.text);
    if (head.lost || (from && from.epoch !== head.epoch)) {
      // A standby was promoted since the end was asked for.
      if (after === NOW) return this.read(caller, { after, limit, workspaceId, types });
      throw this.lost();
    }
    const mint = this.minter(caller.tenantId, head.epoch);
    const rows = lines.map(({ at, json }) => `{"cursor":"${mint(at)}",${json.slice(1)}`);
    return new Json<ChangesDto>(
      `{"data":[${rows.join(",")}],"cursor":"${mint(head.next)}","hasMore":${head.more}}`,
    ).tagged(answer.etag);
  }

  /** All that happened on a side of a tenant behind a position. For streams, which show each member a part of it. */
  occurrences(caller: Caller, after: Position, limit: number, isWhole = false): Promise<Occurrences> {
    const statement = isWhole ? READ_WHOLE_OCCURRENCES : READ_OCCURRENCES;
    return this.behind<Occurrence>(caller, statement, after, RESOURCE_TYPES, limit);
  }

  /** What was made and which conversations changed their status, for webhooks. @throws GoneException */
  steps(caller: Caller, after: Position, types: readonly ResourceType[], limit: number): Promise<Occurrences<Step>> {
    return this.behind<Step>(caller, READ_STEPS, after, types, limit);
  }

  /** What somebody may want to be notified of. @throws GoneException */
  happenings(caller: Caller, after: Position, limit: number): Promise<Occurrences<Happened>> {
    return this.behind<Happened>(caller, READ_HAPPENINGS, after, ["message", "conversation", "attention_item"], limit);
  }

  private async behind<Row>(
    caller: Caller,
    statement: typeof READ_WHOLE_OCCURRENCES,
    [afterTransaction, afterPosition]: Position,
    resourceTypes: readonly ResourceType[],
    limit: number,
  ): Promise<Occurrences<Row>> {
    const args = { resumes: true, afterTransaction, afterPosition, resourceTypes, limit, self: null };
    const { head, lines } = parse((await this.db.read(caller, statement, args)).text);
    if (head.lost) throw this.lost();
    return { ...head, rows: lines.map(({ at, json }) => ({ ...(JSON.parse(json) as Row), at })) };
  }

  /** Whatever is committed from now on is behind this position. */
  async end(caller: Caller): Promise<{ epoch: string; end: Position }> {
    return (await this.db.read(caller, FEED_END, {})).parse();
  }

  private async now(caller: Caller): Promise<{ epoch: string; position: Position }> {
    const { epoch, end } = await this.end(caller);
    return { epoch, position: end };
  }

  lost(): GoneException {
    return coded(
      new GoneException(
        `The feed no longer has what follows this cursor: changes are kept for ${this.config.CHANGES_KEPT_DAYS} days, and a ` +
          "restored database begins anew. Read the resources again, and continue with a new cursor",
      ),
      "cursor-expired",
    );
  }

  /** Makes cursors of positions. They belong to one side of a tenant, not to one caller. */
  minter(tenantId: string, epoch: string): (position: Position) => string {
    return (position) => this.cursors.mint(queryOf(tenantId), JSON.stringify([epoch, ...position]));
  }

  /** @throws BadRequestException */
  open(tenantId: string, cursor: string): { epoch: string; position: Position } {
    try {
      const [epoch, ...position] = this.cursors.open(queryOf(tenantId), cursor) as [string, string, string];
      return { epoch, position };
    } catch {
      throw coded(new BadRequestException("after is not a cursor that this feed gave"), "cursor-foreign");
    }
  }
}

const queryOf = (tenantId: string): string => `changes ${tenantId}`;

/** @throws ForbiddenException unless the caller may read all that it asks for, and anything at all */
function requested(readable: readonly ResourceType[], types: readonly string[] | undefined): readonly ResourceType[] {
  const wanted = types ? [...new Set(types.map(resourceTypeOf))] : readable;
  if (!wanted.length || wanted.some((type) => !readable.includes(type)))
    throw coded(new ForbiddenException(), "scope-missing", "needs the scope that reads each of the types");
  return wanted;
}

const resourceTypeOf = (type: string): ResourceType => type.split(".", 1)[0] as ResourceType;

/** `conversation` stands for all of its types. */
const namedTypes = (types: readonly string[]): string[] =>
  types.flatMap((type) => (type.includes(".") ? [type] : CHANGES.map((change) => `${type}.${change}`)));

function parse(text: string): { head: FeedHead; lines: Line[] } {
  const [, ...lines] = text.split("\n");
  return {
    head: headOf(text),
    lines: lines.map((line) => {
      const [transactionId, position] = line.split(" ", 2) as [string, string];
      return { at: [transactionId, position], json: line.slice(transactionId.length + position.length + 2) };
    }),
  };
}
