import fs from "node:fs/promises";
import type { INestApplicationContext } from "@nestjs/common";
import type { CreateProcedureDto } from "../assistant/procedures/procedures.dto.js";
import { ProcedureEntity } from "../assistant/procedures/procedure.entity.js";
import { ProceduresService } from "../assistant/procedures/procedures.service.js";
import { ToolEntity } from "../assistant/tools/tool.entity.js";
import type { CreateToolDto } from "../assistant/tools/tools.dto.js";
import { ToolsService } from "../assistant/tools/tools.service.js";
import { system } from "../platform/caller/caller.js";
import { ROOT } from "../platform/config/root.js";
import { Database } from "../platform/database/database.js";

/** Where no shop answers: the procedures are drafts, to be read, changed and tried out. */
const SHOP = "https://shop.example.com/tools";

/** The procedures of a shop, and the tools that they call. An earlier start may have been interrupted. */
export async function addProcedures(
  app: INestApplicationContext,
  { tenantId, workspaceId }: { tenantId: string; workspaceId: string },
): Promise<void> {
  const { tools, procedures } = JSON.parse(await fs.readFile(new URL("demo/procedures.json", ROOT), "utf8")) as {
    tools: Omit<CreateToolDto, "url">[];
    procedures: CreateProcedureDto[];
  };
  const demo = system("demo", tenantId, "live");
  const known = await app.get(Database).transaction(demo, async (tx) => {
    const all = [...(await tx.find(ToolEntity, { workspaceId })), ...(await tx.find(ProcedureEntity, { workspaceId }))];
    return new Set(all.map(({ name }) => name));
  });
  for (const tool of tools)
    if (!known.has(tool.name))
      await app.get(ToolsService).create(demo, workspaceId, { ...tool, url: `${SHOP}/${tool.name}` });
  for (const procedure of procedures)
    if (!known.has(procedure.name)) await app.get(ProceduresService).create(demo, workspaceId, procedure);
}
