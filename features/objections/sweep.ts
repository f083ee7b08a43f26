import { ids } from '#contract/examples/objects.ts'
import { anInvoice } from '#test/support/invoices.ts'
import type { Prepare, Story } from '#test/support/operations.ts'
import { aPayee } from '#test/support/payouts.ts'
import type { Limit } from '#test/support/sweep.ts'
import { OBJECTION_DAYS } from './objection-state.ts'

export const bodies = { createObjection: () => ({ reason: 'To see.' }) }

/** Issues an invoice of a partner of its own, to which they may object. */
async function prepareInvoice({ app, account }: Story) {
  const partner = await aPayee(app, account)
  const invoice = await anInvoice(app, account, partner)
  return { partner, prepared: { instead: { [ids.invoice]: invoice.id }, token: partner.token } }
}

export const preparations = {
  createObjection: async (story) => (await prepareInvoice(story)).prepared,
  async closeObjection(story) {
    const { partner, prepared } = await prepareInvoice(story)
    await story.post(`/invoices/${prepared.instead[ids.invoice]}/objection`, { reason: 'To see.' }, partner.token)
    return { instead: prepared.instead }
  },
} satisfies Record<string, Prepare>

export const requiredRights = { closeObjection: 'pay' }
export const whileInactive = ['createObjection']
export const limits: Limit[] = [
  {
    table: 'times',
    row: ['a partner can object to an invoice of the last', `${OBJECTION_DAYS} days`],
    refusals: ['objection_too_late'],
  },
]
