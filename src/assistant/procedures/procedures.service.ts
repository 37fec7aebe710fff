import { BadRequestException, ConflictException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { type Caller, callerId } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { notFound } from "../../platform/http/errors.js";
import { Json, type Ok, ok, type Page } from "../../platform/http/json.js";
import type { PagingDto } from "../../platform/http/paging.dto.js";
import { WorkspaceEntity } from "../../workspaces/workspace.entity.js";
import { isBuiltIn } from "../tools/built-in.js";
import type { Step } from "./definition.js";
import { Digressions } from "./digressions.js";
import { ProcedureEntity, ProcedureVersionEntity, type StartsWith } from "./procedure.entity.js";
import type {
  CreateProcedureDto,
  ProcedureDto,
  TriedProcedureDto,
  TryProcedureDto,
  UpdateProcedureDto,
} from "./procedures.dto.js";
import {
  COUNT_PROCEDURES,
  FIND_ANSWERING,
  FIND_UNKNOWN,
  GET_PROCEDURE,
  GET_TRIED,
  LIST_PROCEDURES,
} from "./procedures.queries.js";
import { tried } from "./trial.js";

const MAX_PROCEDURES = 100;
const TAKEN = "Another procedure of the workspace has this name";
/** The tools of our own that a step may call. The others are steps of their own. */
const CALLABLE = ["add_note", "set_label", "propose_booking"];

@Injectable()
export class ProceduresService {
  constructor(
    private readonly db: Database,
    private readonly digressions: Digressions,
  ) {}

  list(caller: Caller, workspaceId: string, { limit = 25, cursor }: PagingDto): Promise<Json<Page<ProcedureDto>>> {
    return this.db.page(caller, LIST_PROCEDURES, { workspaceId }, { limit, cursor });
  }

  get(caller: Caller, id: string): Promise<Json<ProcedureDto>> {
    return this.db.read(caller, GET_PROCEDURE, { id });
  }

  /** @throws NotFoundException (the workspace), BadRequestException (what it names), ConflictException (its name, too many) */
  create(
    caller: Caller,
    workspaceId: string,
    { agentId: given, name, status = "draft", startsWith, steps }: CreateProcedureDto,
  ): Promise<Json<ProcedureDto>> {
    return this.db.transaction(caller, async (tx) => {
      await tx.findOrThrow(WorkspaceEntity, { id: workspaceId }, { lock: "no key update" });
      tx.changesWorkspace(workspaceId);
      const [{ count } = { count: 0 }] = await tx.query(COUNT_PROCEDURES, { workspaceId });
      if (count >= MAX_PROCEDURES) throw new ConflictException(`There are ${MAX_PROCEDURES} procedures already`);
      const [answering] = given === undefined ? await tx.query(FIND_ANSWERING, { workspaceId }) : [];
      const agentId = given ?? answering?.id;
      if (agentId === undefined) throw new BadRequestException("agentId: no agent answers in the workspace");
      await assertKnown(tx, { workspaceId, agentId, startsWith, steps });
      const id = uuid();
      if (
        !(await tx.insertOrIgnore(ProcedureEntity, {
          id,
          workspaceId,
          agentId,
          name,
          status,
          startsWith: { ...startsWith },
        }))
      )
        throw new ConflictException(TAKEN);
      await tx.insert(ProcedureVersionEntity, { procedureId: id, version: 1, steps, changedBy: callerId(caller) });
      return (await tx.read(GET_PROCEDURE, { id })).created();
    });
  }

  /** Other steps make a new version. @throws NotFoundException, BadRequestException (what it names), ConflictException (its name) */
  update(
    caller: Caller,
    id: string,
    { name, status, startsWith, steps }: UpdateProcedureDto,
  ): Promise<Json<ProcedureDto>> {
    return this.db.transaction(caller, async (tx) => {
      const before = await tx.findOrThrow(ProcedureEntity, { id }, { lock: "no key update" });
      const { workspaceId, agentId } = before;
      tx.changesWorkspace(workspaceId);
      if (startsWith || steps)
        await assertKnown(tx, { workspaceId, agentId, startsWith: startsWith ?? NOTHING, steps: steps ?? [] });
      if (name !== undefined && name !== before.name && (await tx.findOne(ProcedureEntity, { workspaceId, name })))
        throw new ConflictException(TAKEN);
      const version = before.version + (steps ? 1 : 0);
      const given = {
        ...(name !== undefined && { name }),
        ...(status !== undefined && { status }),
        ...(startsWith && { startsWith: { ...startsWith } }),
        ...(steps && { version }),
      };
      if (Object.keys(given).length)
        await tx.update(ProcedureEntity, { id }, { ...given, updatedAt: () => "clock_timestamp()" });
      if (steps)
        await tx.insert(ProcedureVersionEntity, { procedureId: id, version, steps, changedBy: callerId(caller) });
      return tx.read(GET_PROCEDURE, { id });
    });
  }

  /** What has begun does not go on. @throws NotFoundException */
  delete(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      const { workspaceId } = await tx.findOrThrow(ProcedureEntity, { id }, { lock: "update" });
      tx.changesWorkspace(workspaceId);
      if (!(await tx.delete(ProcedureEntity, { id }))) throw notFound();
      return ok();
    });
  }

  /** Nothing is said, called or kept. @throws NotFoundException */
  async try(caller: Caller, id: string, body: TryProcedureDto): Promise<Json<TriedProcedureDto>> {
    const found = await this.db.separateTransaction(caller, async (tx) => {
      tx.changesNothingVisible();
      const [tried] = await tx.query(GET_TRIED, { id, steps: body.steps ? JSON.stringify(body.steps) : null });
      if (!tried) throw notFound();
      if (body.steps) await assertKnown(tx, { ...tried, startsWith: NOTHING });
      return tried;
    });
    const played = await tried(found, body, (about) => this.digressions.answer(caller, about));
    // Its answer is kept for an `Idempotency-Key`, as that of any POST.
    return this.db.transaction(caller, (tx) => {
      tx.changesNothingVisible();
      return Promise.resolve(Json.of<TriedProcedureDto>(played));
    });
  }
}

const NOTHING: StartsWith = { entries: [], phrases: [] };

interface Defined {
  workspaceId: string;
  agentId: string;
  startsWith: StartsWith;
  steps: readonly Step[];
}
/** @throws NotFoundException (the agent does not work there, or an entry is not approved there), BadRequestException (a tool) */
async function assertKnown(tx: Tx, { workspaceId, agentId, startsWith, steps }: Defined): Promise<void> {
  const called = [...new Set(steps.flatMap((step) => (step.type === "call" ? [step.tool] : [])))];
  const said = steps.flatMap((step) => (step.type === "say" && step.entryId !== undefined ? [step.entryId] : []));
  const entries = [...new Set([...startsWith.entries, ...said].map((id) => id.toLowerCase()))];
  const own = called.filter((tool) => !CALLABLE.includes(tool));
  const ours = own.find(isBuiltIn);
  if (ours !== undefined) throw new BadRequestException(`steps: ${ours} is no tool that a step can call`);
  const [unknown] = await tx.query(FIND_UNKNOWN, { workspaceId, agentId, tools: own, entries });
  if (!unknown!.agent || unknown!.entries.length) throw notFound();
  if (unknown!.tools.length) throw new BadRequestException(`steps: there is no tool ${unknown!.tools.join(", ")}`);
}
