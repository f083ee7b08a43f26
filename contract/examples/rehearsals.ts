import type * as room from '../rehearsals.ts'
import type { ExamplesOf } from './example.ts'
import { ids } from './objects.ts'

const outcomes: Record<room.RehearsalStep, string> = {
  click: '“Pricing page” redirected to www.acme.example and counted the click for Jane Doe.',
  lead: 'The embed code accepted a form and credited it to Jane Doe by the click.',
  sale: 'A $100.00 payment from Stripe was recorded and credited to Jane Doe.',
  commission: 'Earned: Jane Doe $20.00 (20%), payable from Sep 26, 2026.',
  refund: 'The sale was refunded in full, and its commission was reversed.',
  webhook: 'A test event was sent to “CRM”.',
  'clean-up': 'Everything was removed.',
}
const steps = Object.keys(outcomes) as room.RehearsalStep[]

const begun = {
  id: ids.rehearsal,
  accountId: ids.account,
  createdAt: '2026-08-27T12:00:03.118Z',
}

export const rehearsals: ExamplesOf<typeof room> = {
  startRehearsal: {
    refused: ['unknown_partner_in_account', 'unknown_link'],
    body: { partnerId: ids.partner, blueprintId: ids.blueprint, amount: 100_00 },
    reply: {
      ...begun,
      state: 'running',
      steps: steps.map((step) => ({ step, state: 'waiting', detail: null, fix: null })),
      finishedAt: null,
    },
  },
  getRehearsal: {
    params: { rehearsalId: ids.rehearsal },
    reply: {
      ...begun,
      state: 'passed',
      steps: steps.map((step) => ({ step, state: 'done', detail: outcomes[step], fix: null })),
      finishedAt: '2026-08-27T12:00:04.551Z',
    },
  },
}
