import { Tables1763700000000 } from "./1763700000000-tables.js";
import { Isolation1763700001000 } from "./1763700001000-isolation.js";
import { FilteredLists1763700002000 } from "./1763700002000-filtered-lists.js";
import { Attention1763700010000 } from "./1763700010000-attention.js";
import { Erasure1763700030000 } from "./1763700030000-erasure.js";
import { Verification1763700040000 } from "./1763700040000-verification.js";
import { MagicLinks1763700050000 } from "./1763700050000-magic-links.js";
import { Eid1763700060000 } from "./1763700060000-eid.js";
import { Administration1763700080000 } from "./1763700080000-administration.js";
import { Desk1763700090000 } from "./1763700090000-desk.js";
import { Attachments1763700100000 } from "./1763700100000-attachments.js";
import { Cases1763700110000 } from "./1763700110000-cases.js";
import { Search1763700120000 } from "./1763700120000-search.js";
import { Audit1763700130000 } from "./1763700130000-audit.js";
import { Knowledge1763700140000 } from "./1763700140000-knowledge.js";
import { People1763700150000 } from "./1763700150000-people.js";
import { Policies1763700160000 } from "./1763700160000-policies.js";
import { Agents1763700170000 } from "./1763700170000-agents.js";
import { EntryPostings1763700180000 } from "./1763700180000-entry-postings.js";
import { Embeddings1763700181000 } from "./1763700181000-embeddings.js";
import { Channels1763700190000 } from "./1763700190000-channels.js";
import { Outbox1763700195000 } from "./1763700195000-outbox.js";
import { Intake1763700200000 } from "./1763700200000-intake.js";
import { Sweep1763700205000 } from "./1763700205000-sweep.js";
import { Mailboxes1763700210000 } from "./1763700210000-mailboxes.js";
import { Webchat1763700220000 } from "./1763700220000-webchat.js";
import { Telephony1763700230000 } from "./1763700230000-telephony.js";
import { Widgets1763700240000 } from "./1763700240000-widgets.js";
import { AttentionSubjects1763700245000 } from "./1763700245000-attention-subjects.js";
import { Calendar1763700250000 } from "./1763700250000-calendar.js";
import { Outcomes1763700255000 } from "./1763700255000-outcomes.js";
import { Csat1763700260000 } from "./1763700260000-csat.js";
import { Quality1763700270000 } from "./1763700270000-quality.js";

/** In the order in which they run. */
export const MIGRATIONS = [
  Tables1763700000000,
  Isolation1763700001000,
  FilteredLists1763700002000,
  Attention1763700010000,
  Erasure1763700030000,
  Verification1763700040000,
  MagicLinks1763700050000,
  Eid1763700060000,
  Administration1763700080000,
  Desk1763700090000,
  Attachments1763700100000,
  Cases1763700110000,
  Search1763700120000,
  Audit1763700130000,
  Knowledge1763700140000,
  People1763700150000,
  Policies1763700160000,
  Agents1763700170000,
  EntryPostings1763700180000,
  Embeddings1763700181000,
  Channels1763700190000,
  Outbox1763700195000,
  Intake1763700200000,
  Sweep1763700205000,
  Mailboxes1763700210000,
  Webchat1763700220000,
  Telephony1763700230000,
  Widgets1763700240000,
  AttentionSubjects1763700245000,
  Calendar1763700250000,
  Outcomes1763700255000,
  Csat1763700260000,
  Quality1763700270000,
];
