import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentCaller, RequireScope } from '../auth/access/access.js';
import type { Caller } from '../caller/caller.js';
import type { Json, Page } from '../http/json.js';
import { Answers, AnswersPage } from '../http/openapi.js';
import { IdPipe } from '../http/validation.js';
import { ContactDto, CreateContactDto, ListContactsDto } from './contacts.dto.js';
import { ContactsService } from './contacts.service.js';

@ApiTags('Contacts')
@Controller('api/contacts')
export class ContactsController {
  constructor(private readonly contacts: ContactsService) {}

  /** List contacts, newest first. A restricted caller sees those that appear in its workspaces, or that it made. */
  @Get() @RequireScope('contacts:read') @AnswersPage(ContactDto)
  list(@CurrentCaller() caller: Caller, @Query() query: ListContactsDto): Promise<Json<Page<ContactDto>>> {
    return this.contacts.list(caller, query);
  }

  /** Read one contact. */
  @Get(':id') @RequireScope('contacts:read') @Answers(ContactDto)
  get(@CurrentCaller() caller: Caller, @Param('id', IdPipe) id: string): Promise<Json<ContactDto>> {
    return this.contacts.get(caller, id);
  }

  /** Create a contact. An `externalId` that exists already is 409. */
  @Post() @RequireScope('contacts:write') @Answers(ContactDto, { status: 201 })
  create(@CurrentCaller() caller: Caller, @Body() body: CreateContactDto): Promise<Json<ContactDto>> {
    return this.contacts.create(caller, body);
  }
}
