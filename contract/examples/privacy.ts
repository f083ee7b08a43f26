import type * as room from '../privacy.ts'
import type { ExamplesOf } from './example.ts'
import { ids, onlyPage } from './objects.ts'

const erasure: room.Erasure = {
  id: ids.erasure,
  at: '2026-09-02T08:30:11.020Z',
  by: 'Elena Marsh',
  subject: { type: 'lead', id: ids.lead },
  reason: 'asked',
  counts: { leads: 1 },
  recordsUntil: null,
  backupsUntil: '2026-09-09',
  done: false,
}

export const people: ExamplesOf<typeof room> = {
  eraseLead: { refused: ['password_first'], body: {}, reply: erasure },
  erasePartner: {
    refused: ['not_settled', 'sale_without_rate', 'partner_not_archived', 'password_first'],
    body: {},
    reply: { ...erasure, subject: { type: 'partner', id: ids.partner }, recordsUntil: '2033-12-31' },
  },
  exportLeadData: {
    refused: ['password_first'],
    reply: { leads: [{ id: ids.lead, email: 'hannah@brightline.example' }] },
  },
  exportPartnerData: { refused: ['password_first'], reply: { partners: [{ id: ids.partner, firstName: 'Jane' }] } },
  listErasures: { query: { type: 'lead' }, reply: onlyPage({ ...erasure, done: true }) },
}
