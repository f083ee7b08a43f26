import { moneyInWords } from '#contract/money.ts'
import type { Queryable } from '../../../platform/database/pool.ts'
import { countInWords } from '../../../platform/format-values.ts'
import { presentPayouts } from '../../../program/payouts/payouts.ts'
import { type DigestRecipient, listSubjects, newsMail } from '../mail.ts'
import { formatAccountName, listFirst, MOST_LINES, nameOr, toTeam } from '../message.ts'

const statusWords = { failed: 'failed', returned: 'returned', 'awaiting-funding': 'awaiting funding' }

const forTeam = (): DigestRecipient => ({ to: 'team' })

export const payoutAttention = newsMail({
  group: 'payouts',
  title: 'Payouts need attention',
  description: 'Payouts of an account failed, were returned or wait for funds.',
  news: { 'payout.awaiting-funding': forTeam, 'payout.failed': forTeam, 'payout.returned': forTeam },
  async read(gathered) {
    const { db, account, origin } = gathered
    const ids = await payoutsInTrouble(db, account.id, listSubjects(gathered))
    if (ids.length === 0) return null
    const payouts = await presentPayouts(db, account, ids.slice(0, MOST_LINES))
    return {
      accountName: account.name,
      currency: account.defaultCurrency,
      count: ids.length,
      payouts: payouts.map(({ partnerName, payAmount, status, failureReason }) => ({
        partner: partnerName,
        amount: payAmount,
        status: status as 'failed' | 'returned' | 'awaiting-funding',
        reason: failureReason,
      })),
      url: ids.length === 1 ? `${origin}/payouts/${ids[0]}` : `${origin}/payouts?tab=needs-action`,
    }
  },
  write: ({ accountName, currency, count, payouts, url }) => ({
    ...toTeam(accountName),
    subject:
      count === 1 && payouts[0]
        ? `A payout to ${nameOr(payouts[0].partner, 'a partner')} needs your attention`
        : `${countInWords(count, 'payout')} need your attention`,
    preview: 'Failed, returned or waiting for funds.',
    parts: [
      count === 1
        ? `A payout of ${formatAccountName(accountName)} is stuck and needs your attention.`
        : `${countInWords(count, 'payout')} of ${formatAccountName(accountName)} are stuck and need your attention.`,
      ...listFirst(
        count,
        payouts.map(({ partner, amount, status, reason }) => ({
          label: nameOr(partner, 'A partner'),
          value: `${moneyInWords(amount, currency)}, ${statusWords[status]}`,
          note: reason && nameOr(reason, ''),
        })),
      ),
    ],
    button: { label: 'Open payouts', url },
  }),
  sample: {
    accountName: 'Northwind',
    currency: 'usd',
    count: 2,
    payouts: [
      { partner: 'Pia Tern', amount: 125_00, status: 'failed', reason: 'The account number is not valid.' },
      { partner: 'Sam Swift', amount: 80_00, status: 'awaiting-funding', reason: 'Not enough balance.' },
    ],
    url: 'https://partners.example.com/payouts?tab=needs-action',
  },
})

/** Returns those of these payouts that wait for the owner, the latest first. */
async function payoutsInTrouble(db: Queryable, accountId: string, ids: string[]): Promise<string[]> {
  const rows = await db.many<{ id: string }>`
    select id from payouts
    where account_id = ${accountId} and id = any(${ids}::uuid[]) and status in ('failed', 'returned', 'awaiting-funding')
    order by updated_at desc, id`
  return rows.map(({ id }) => id)
}
