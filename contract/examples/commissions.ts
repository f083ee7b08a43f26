import type * as room from '../commissions.ts'
import type { ExamplesOf } from './example.ts'
import { entry, ids, onlyPage, ownLink } from './objects.ts'

const visit = { linkId: ids.ownLink, subId: ownLink.subId }

export const commissions: ExamplesOf<typeof room> = {
  listSaleCommissions: { reply: onlyPage({ ...entry, ...visit }) },
  listLeadCommissions: {
    reply: onlyPage({
      ...entry,
      ...visit,
      saleId: null,
      leadId: ids.lead,
      paidFor: 'qualified-lead' as const,
      rate: null,
      flat: 40_00,
      baseAmount: null,
      amount: 40_00,
    }),
  },
  adjustBalance: {
    refused: ['not_whole_units'],
    body: { amount: 25_00, reason: 'Bonus for the webinar' },
    reply: {
      ...entry,
      saleId: null,
      layer: null,
      rate: null,
      baseAmount: null,
      amount: 25_00,
      kind: 'adjustment',
      status: 'due',
      availableAt: '2026-07-30T10:20:30.400Z',
      reason: 'Bonus for the webinar',
      createdAt: '2026-07-30T10:20:30.400Z',
    },
  },
}
