import type { ExamplesOf } from '#contract/examples/example.ts'
import { ids } from '#contract/examples/objects.ts'
import type * as room from './contract.ts'

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

export const rehearsalId = '0198a3d1-04c7-7b12-9a60-4d8e1f5b7c33'

const begun = {
  id: rehearsalId,
  accountId: ids.account,
  createdAt: '2026-08-27T12:00:03.118Z',
}

export const calls: ExamplesOf<typeof room> = {
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
    params: { rehearsalId },
    reply: {
      ...begun,
      state: 'passed',
      steps: steps.map((step) => ({ step, state: 'done', detail: outcomes[step], fix: null })),
      finishedAt: '2026-08-27T12:00:04.551Z',
    },
  },
}
