import { BadRequestException, Injectable } from "@nestjs/common";
import { stringify } from "csv-stringify/sync";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { defused } from "../../platform/http/csv.js";
import type { Json, Page } from "../../platform/http/json.js";
import { type RowFilters, rowsStatement } from "./report-rows.queries.js";
import type { ReportGroup, ReportName } from "./report-names.js";
import type { ReportRowDto, ReportRowsQueryDto } from "./reports.dto.js";
import type { Grouping } from "./reports.queries.js";
import { groupingOf, MAX_DAYS, zoneNamed } from "./reports.service.js";

/** A file has at most so many rows. */
const MAX_ROWS = 100_000;
const ROWS_PER_READ = 1_000;
const COLUMNS = [
  "at",
  "conversationId",
  "seconds",
  "inShare",
  "workspaceId",
  "workspaceName",
  "channelId",
  "channelName",
  "memberId",
  "memberName",
  "handledBy",
  "resolution",
  "reason",
] as const satisfies readonly (keyof ReportRowDto)[];

/** What is behind the figures of reports. */
@Injectable()
export class ReportRowsService {
  constructor(private readonly db: Database) {}

  list(caller: Caller, query: ReportRowsQueryDto): Promise<Json<Page<ReportRowDto>>> {
    const { statement, filters } = this.asked(query);
    return this.db.page(caller, statement, filters, { limit: query.limit ?? 25, cursor: query.cursor });
  }

  /** The rows as lines of a CSV file. The first read is done when this resolves, so that it can still fail. */
  async file(caller: Caller, query: ReportRowsQueryDto): Promise<AsyncGenerator<string>> {
    const { statement, filters } = this.asked(query);
    const read = async (cursor?: string): Promise<Page<ReportRowDto>> =>
      (await this.db.page(caller, statement, filters, { limit: ROWS_PER_READ, cursor })).parse();
    return lines(await read(query.cursor), read);
  }

  private asked(query: ReportRowsQueryDto): { statement: ReturnType<typeof rowsStatement>; filters: RowFilters } {
    const { report = "volume", groupBy, group, timeZone = "UTC", workspaceId } = query;
    zoneNamed(timeZone);
    assertShort(query);
    return {
      statement: rowsStatement(report, groupAsked(report, groupBy, group)),
      filters: { workspaceId, from: query.from, to: query.to, group, timeZone },
    };
  }
}

const DAY_MS = 86_400_000;
/** A day may have 25 hours, so only whole days count. @throws BadRequestException */
function assertShort({ from, to }: ReportRowsQueryDto): void {
  if (from === undefined) return;
  const end = to === undefined ? Date.now() : Date.parse(to);
  if (Math.floor((end - Date.parse(from)) / DAY_MS) > MAX_DAYS)
    throw new BadRequestException(`from and to must be at most ${MAX_DAYS} days apart`);
}

function groupAsked(report: ReportName, groupBy: ReportGroup | undefined, group: string | undefined): Grouping {
  const grouping = groupingOf(report, groupBy);
  if (group === undefined) return undefined;
  if (grouping === undefined) throw new BadRequestException("group needs groupBy, which says what it is one of");
  return grouping;
}

type Cell = string | number | boolean | null;
const linesOf = (rows: readonly (readonly Cell[])[]): string =>
  stringify(
    rows.map((cells) => cells.map((cell) => (typeof cell === "string" ? defused(cell) : cell))),
    { record_delimiter: "windows", quoted_match: /;/, cast: { boolean: String } },
  );

async function* lines(
  first: Page<ReportRowDto>,
  read: (cursor: string) => Promise<Page<ReportRowDto>>,
): AsyncGenerator<string> {
  yield linesOf([COLUMNS]);
  let page = first;
  for (let rows = page.data.length; ; rows += page.data.length) {
    yield linesOf(page.data.map((row) => COLUMNS.map((column) => row[column])));
    if (page.nextCursor === undefined || rows >= MAX_ROWS) return;
    page = await read(page.nextCursor);
  }
}
