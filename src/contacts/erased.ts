/** The number of rows that an erasure removed or anonymised. */
export interface Erased {
  contacts: number;
  contactPoints: number;
  conversations: number;
  messages: number;
  attachments: number;
  identityEvents: number;
  verifications: number;
  attentionItems: number;
  csatComments: number;
  cases: number;
  bookings: number;
  kbEntries: number;
  kbEvidence: number;
  policyEntries: number;
  policyEvidence: number;
  mails: number;
  storedAnswers: number;
}

export const nothingErased = (): Erased => ({
  contacts: 0,
  contactPoints: 0,
  conversations: 0,
  messages: 0,
  attachments: 0,
  identityEvents: 0,
  verifications: 0,
  attentionItems: 0,
  csatComments: 0,
  cases: 0,
  bookings: 0,
  kbEntries: 0,
  kbEvidence: 0,
  policyEntries: 0,
  policyEvidence: 0,
  mails: 0,
  storedAnswers: 0,
});

export function addErased(total: Erased, more: Erased): void {
  for (const what of Object.keys(total) as (keyof Erased)[]) total[what] += more[what];
}
