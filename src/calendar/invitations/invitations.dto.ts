import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsIn } from "class-validator";
import { namedEnum } from "../../platform/enums/named-enum.js";
import {
  ANSWERS,
  FREQUENCIES,
  type Invitation,
  type InvitationAnswer,
  METHODS,
  type Person,
  type Recurrence,
  WEEKDAYS,
} from "../ics/invitation.js";

const INVITATION_METHODS = namedEnum("InvitationMethod", "What a calendar file in a mail asks.", {
  request: "It invites, or says that the event has changed.",
  cancel: "The event does not take place.",
  reply: "A guest answers.",
  publish: "It shows an event and asks nothing.",
} satisfies Record<(typeof METHODS)[number], string>);
const INVITATION_ANSWERS = namedEnum("InvitationAnswer", "The answer to an invitation.", ANSWERS);
const RECURRENCE_FREQUENCIES = namedEnum("RecurrenceFrequency", "How often an event recurs.", FREQUENCIES);
const INVITATION_WEEKDAYS = namedEnum("InvitationWeekday", "A day of the week.", WEEKDAYS);

@ApiSchema({ description: "Somebody whom a calendar file names." })
export class InvitationPersonDto implements Person {
  /** Null if the file has none. */
  @ApiProperty({ type: String, nullable: true })
  name: string | null;
  /** Their email address, in lower case. */
  @ApiProperty({ format: "email" })
  address: string;
}

@ApiSchema({ description: "A guest who answered." })
export class InvitationGuestDto extends InvitationPersonDto {
  /** Null for anything else, such as that somebody else comes instead. */
  @ApiProperty({ enum: INVITATION_ANSWERS, nullable: true })
  answer: InvitationAnswer | null;
}

@ApiSchema({ description: "A rule by which an event recurs." })
export class InvitationRecurrenceDto implements Recurrence {
  /** The unit of `interval`. */
  @ApiProperty({ enum: RECURRENCE_FREQUENCIES })
  frequency: Recurrence["frequency"];
  /** 2 with `weekly` means every other week. */
  @ApiProperty({ type: "integer" })
  interval: number;
  /** Empty: the weekday of the start. */
  @ApiProperty({ type: "array", items: { type: "string", enum: [...INVITATION_WEEKDAYS] } })
  weekdays: Recurrence["weekdays"];
  /** How many times it takes place. Null: nothing is said. */
  @ApiProperty({ type: "integer", nullable: true })
  count: number | null;
  /** When it takes place for the last time. Null: nothing is said. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  until: string | null;
}

@ApiSchema({ description: "A calendar file that came with a mail." })
export class InvitationDto implements Invitation {
  /** What the file asks. */
  @ApiProperty({ enum: INVITATION_METHODS })
  method: Invitation["method"];
  /** Empty if it has none. */
  title: string;
  /** Where it takes place, as the organizer wrote it. Null if the file does not say. */
  @ApiProperty({ type: String, nullable: true })
  location: string | null;
  /** Of whole days: midnight in UTC. */
  @ApiProperty({ format: "date-time" })
  startsAt: string;
  /** The end, which is the first moment after it. */
  @ApiProperty({ format: "date-time" })
  endsAt: string;
  /** Whether it takes whole days, without times. */
  allDay: boolean;
  /** The organizer's, by its IANA name. Null if it has none. */
  @ApiProperty({ type: String, nullable: true, example: "Europe/Vienna" })
  timeZone: string | null;
  /** Who gets the answer. Null if nobody is named. */
  @ApiProperty({ type: InvitationPersonDto, nullable: true })
  organizer: InvitationPersonDto | null;
  /** Whether it takes place more than once. */
  recurs: boolean;
  /** The rule, if it is a simple one. Null otherwise. */
  @ApiProperty({ type: InvitationRecurrenceDto, nullable: true })
  recurrence: InvitationRecurrenceDto | null;
  /** Of a `reply`: the guest. Null otherwise. */
  @ApiProperty({ type: InvitationGuestDto, nullable: true })
  attendee: InvitationGuestDto | null;
  /** How many more events the file has. */
  @ApiProperty({ type: "integer" })
  moreEvents: number;
  /** What was answered from here the last time. Null: nothing yet. */
  @ApiProperty({ enum: INVITATION_ANSWERS, nullable: true })
  answer: InvitationAnswer | null;
  /** Whether it can be answered: it invites, names an organizer, and came into a mailbox. */
  answerable: boolean;
}

export class AnswerInvitationDto {
  /** What the organizer is told. */
  @ApiProperty({ enum: INVITATION_ANSWERS })
  @IsIn(INVITATION_ANSWERS)
  answer: InvitationAnswer;
}
