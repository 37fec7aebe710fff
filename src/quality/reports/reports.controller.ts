import { Readable } from "node:stream";
import { Controller, Get, Headers, Param, Query, StreamableFile } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json, Page } from "../../platform/http/json.js";
import { Answers, AnswersPage } from "../../platform/http/openapi.js";
import { ReportDto, ReportPathDto, ReportQueryDto, ReportRowDto, ReportRowsQueryDto } from "./reports.dto.js";
import { ReportRowsService } from "./report-rows.service.js";
import { ReportsService } from "./reports.service.js";

@Controller("api/reports")
export class ReportsController {
  constructor(
    private readonly reports: ReportsService,
    private readonly rows: ReportRowsService,
  ) {}

  /**
   * List the rows behind a report, newest first. With `Accept: text/csv` you get all of them as a file, at most 100,000.
   */
  @Get("conversations")
  @RequireScope("quality:read")
  @AnswersPage(ReportRowDto)
  async listConversations(
    @CurrentCaller() caller: Caller,
    @Query() query: ReportRowsQueryDto,
    @Headers("accept") accept?: string,
  ): Promise<Json<Page<ReportRowDto>> | StreamableFile> {
    if (!wantsCsv(accept)) return this.rows.list(caller, query);
    const file = Readable.from(await this.rows.file(caller, query), { objectMode: false });
    return new StreamableFile(file, {
      type: "text/csv; charset=utf-8",
      disposition: `attachment; filename="${query.report ?? "volume"}.csv"`,
    });
  }

  /**
   * Read a report. Its figures are those of the period, of each interval and of each group, each beside those of the period
   * before. docs/reports.md defines them.
   */
  @Get(":name")
  @RequireScope("quality:read")
  @Answers(ReportDto)
  get(
    @CurrentCaller() caller: Caller,
    @Param() { name }: ReportPathDto,
    @Query() query: ReportQueryDto,
  ): Promise<Json<ReportDto>> {
    return this.reports.get(caller, name, query);
  }
}

const wantsCsv = (accept = ""): boolean => /^\s*text\/csv\s*(?:[;,]|$)/i.test(accept);
