import type { Payout } from '#contract/payouts.ts'
import { isForPartner } from '../../../program/payouts/blockers.ts'
import {
  findPayout,
  formatPaidAmount,
  payoutPart,
  readPayoutFacts,
  samplePayout,
  settingsUrl,
} from '../about/payout.ts'
import { newsMail } from '../mail.ts'
import { accountFirst, formatAccountName, nameOr, toPartner } from '../message.ts'

export const payoutFailed = newsMail({
  group: 'payouts',
  title: 'Payout failed',
  description: 'A payout could not be sent, or its money was returned.',
  news: {
    'payout.failed': ({ partnerId }) => ({ to: { partnerId } }),
    'payout.returned': returnedRecipient,
  },
  alone: true,
  async read(gathered) {
    const payout = await findPayout(gathered)
    if (payout?.status !== 'failed' && payout?.status !== 'returned') return null
    const returned = payout.status === 'returned'
    const mendable = returned || payout.blockers.some(({ code }) => isForPartner(code))
    return {
      ...(await readPayoutFacts(gathered, payout)),
      returned,
      reason: payout.failureReason,
      mendable,
      ...(mendable && { url: settingsUrl(gathered) }),
    }
  },
  write: ({ returned, reason, mendable, ...payout }) => ({
    ...toPartner(payout.accountName),
    subject: `Your payout of ${formatPaidAmount(payout)} ${returned ? 'was returned' : 'could not be sent'}`,
    preview: mendable ? 'Please check your payout details.' : 'Your balance is unchanged.',
    parts: [
      returned
        ? `${payout.byPaypal ? 'PayPal' : 'Your bank'} returned your payout from ${formatAccountName(payout.accountName)}. Your balance is unchanged, and it will be paid to you again.`
        : `Your payout from ${formatAccountName(payout.accountName)} could not be sent. Your balance is unchanged and will be paid once this is resolved.`,
      payoutPart(payout, [{ label: 'Reason', value: reason && nameOr(reason, '') }]),
      mendable
        ? 'Please check your payout details and enter them again.'
        : `There’s nothing you need to do. ${accountFirst(payout.accountName)} has been notified.`,
    ],
    button: { label: mendable ? 'Check payout details' : 'Open payout', url: payout.url },
  }),
  sample: {
    ...samplePayout,
    returned: false,
    reason: 'The account number is not valid.',
    mendable: true,
    url: 'https://partners.example.com/partner/settings',
  },
})

/** Its partner gets one mail per approval. */
export function returnedRecipient({ partnerId, approvedAt }: Pick<Payout, 'partnerId' | 'approvedAt'>) {
  return { to: { partnerId }, occasion: `returned, approved ${approvedAt}` }
}
