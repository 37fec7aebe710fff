import { Body, Controller, Delete, Get, Param, Patch, Post } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import { ADMINS } from "../../platform/caller/scope.js";
import type { Json, Ok } from "../../platform/http/json.js";
import { Tag } from "../../platform/http/openapi/tags.js";
import { OperationId } from "../../platform/http/operation-id.js";
import { Answers, AnswersList, AnswersOk, Fails } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import {
  ContactFormWidgetDto,
  CreateContactFormWidgetDto,
  CreateKbWidgetDto,
  KbWidgetDto,
  UpdateContactFormWidgetDto,
  UpdateKbWidgetDto,
} from "./widgets.dto.js";
import { WidgetsService } from "./widgets.service.js";

@Tag("Widgets", ["kbWidgets", "contactFormWidgets", "publicWidgets"], {
  order: 140,
  description: "A search box and contact forms for your own website.",
})
@Controller("api")
export class WidgetsController {
  constructor(private readonly widgets: WidgetsService) {}

  /** List the search widgets of a workspace, oldest first. */
  @Get("workspaces/:workspaceId/kb-widgets")
  @RequireScope("kb:read")
  @AnswersList(KbWidgetDto)
  @OperationId("kbWidgets.list")
  listKb(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
  ): Promise<Json<KbWidgetDto[]>> {
    return this.widgets.list(caller, "kb", workspaceId);
  }

  /** Create a search widget. Anyone on its pages can search the approved entries of the workspace. */
  @Post("workspaces/:workspaceId/kb-widgets")
  @RequireScope("kb:write", ADMINS)
  @Answers(KbWidgetDto, { status: 201 })
  @Fails(409)
  @OperationId("kbWidgets.create")
  createKb(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Body() body: CreateKbWidgetDto,
  ): Promise<Json<KbWidgetDto>> {
    return this.widgets.create(caller, "kb", workspaceId, body);
  }

  /** Change, disable or enable a search widget. */
  @Patch("kb-widgets/:id")
  @RequireScope("kb:write", ADMINS)
  @Answers(KbWidgetDto)
  @OperationId("kbWidgets.update")
  updateKb(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: UpdateKbWidgetDto,
  ): Promise<Json<KbWidgetDto>> {
    return this.widgets.update(caller, "kb", id, body);
  }

  /** Delete a search widget. Pages that still contain it show nothing in its place. */
  @Delete("kb-widgets/:id")
  @RequireScope("kb:write", ADMINS)
  @AnswersOk("Deleted")
  @OperationId("kbWidgets.delete")
  removeKb(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.widgets.remove(caller, "kb", id);
  }

  /** List the contact forms of a workspace, oldest first. */
  @Get("workspaces/:workspaceId/contact-form-widgets")
  @RequireScope("contacts:read")
  @AnswersList(ContactFormWidgetDto)
  @OperationId("contactFormWidgets.list")
  listForms(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
  ): Promise<Json<ContactFormWidgetDto[]>> {
    return this.widgets.list(caller, "contact_form", workspaceId);
  }

  /** Create a contact form. Its messages start conversations on the workspace's channel of type `contact_form`, which is created with the first form. */
  @Post("workspaces/:workspaceId/contact-form-widgets")
  @RequireScope("contacts:write", ADMINS)
  @Answers(ContactFormWidgetDto, { status: 201 })
  @Fails(409)
  @OperationId("contactFormWidgets.create")
  createForm(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Body() body: CreateContactFormWidgetDto,
  ): Promise<Json<ContactFormWidgetDto>> {
    return this.widgets.create(caller, "contact_form", workspaceId, body);
  }

  /** Change, disable or enable a contact form. */
  @Patch("contact-form-widgets/:id")
  @RequireScope("contacts:write", ADMINS)
  @Answers(ContactFormWidgetDto)
  @OperationId("contactFormWidgets.update")
  updateForm(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: UpdateContactFormWidgetDto,
  ): Promise<Json<ContactFormWidgetDto>> {
    return this.widgets.update(caller, "contact_form", id, body);
  }

  /** Delete a contact form. Its messages are kept. */
  @Delete("contact-form-widgets/:id")
  @RequireScope("contacts:write", ADMINS)
  @AnswersOk("Deleted")
  @OperationId("contactFormWidgets.delete")
  removeForm(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.widgets.remove(caller, "contact_form", id);
  }
}
