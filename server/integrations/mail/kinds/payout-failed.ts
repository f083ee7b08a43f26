import type { Payout } from '#contract/payouts.ts'
import { wordFor } from '../../../program/access/access.ts'
import { isForPartner } from '../../../program/payouts/blockers.ts'
import {
  findPayout,
  formatPaidAmount,
  type PayoutFacts,
  payoutPart,
  payoutValues,
  readPayoutFacts,
  samplePayout,
  settingsUrl,
} from '../about/payout.ts'
import { newsMail } from '../mail.ts'
import { accountFirst, formatAccountName, nameOr, toPartner, toPlainLine } from '../message.ts'
import { payoutMailPhrases } from '../text.ts'

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
      reason: wordFor(gathered, () => payout.failureReason),
      mendable,
      ...(mendable && { url: settingsUrl(gathered) }),
    }
  },
  write({ returned, mendable, ...payout }) {
    const { failed, ...words } = payoutMailPhrases
    const amount = formatPaidAmount(payout)
    const account = formatAccountName(payout.accountName)
    const returnedBy = payout.byPaypal ? failed.returnedByPaypal : failed.returnedByBank
    return {
      ...toPartner(payout.accountName),
      subject: returned ? failed.returnedSubject({ amount }) : failed.subject({ amount }),
      preview: mendable ? failed.preview : failed.unchanged,
      parts: [
        returned ? returnedBy({ account }) : failed.text({ account }),
        factsOf(payout),
        mendable ? words.checkDetails : failed.nothingToDo({ account: accountFirst(payout.accountName) }),
      ],
      button: { label: mendable ? failed.check : words.open, url: payout.url },
    }
  },
  editable: {
    kind: () => 'payout-failed',
    values: (payout) => ({ ...payoutValues(payout), reason: toPlainLine(payout.reason) }),
    details: (payout) => [factsOf(payout)],
  },
  sample: {
    ...samplePayout,
    returned: false,
    reason: 'The account number is not valid.',
    mendable: true,
    url: 'https://partners.example.com/partner/settings',
  },
})

const factsOf = ({ reason, ...payout }: PayoutFacts & { reason: string | null }) =>
  payoutPart(payout, [{ label: payoutMailPhrases.reason, value: reason && nameOr(reason, '') }])

/** Its partner gets one mail per approval. */
export function returnedRecipient({ partnerId, approvedAt }: Pick<Payout, 'partnerId' | 'approvedAt'>) {
  return { to: { partnerId }, occasion: `returned, approved ${approvedAt}` }
}
