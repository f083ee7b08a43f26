import { pausedSince } from '../../../program/payouts/payout-terms.ts'
import { payoutsPaused } from '../../../program/payouts/signals.ts'
import { accountOf, becauseOwner } from '../letter.ts'
import { mail, on } from '../mail.ts'
import { findOwner } from '../news-queries.ts'
import { findAccount } from '../queries.ts'

export const payoutsPausedMail = mail({
  group: 'payouts',
  title: 'Payouts paused',
  description: 'The database may be an older copy, and payouts wait for their owner.',
  when: on(payoutsPaused, ({ pausedAt }, { accountId }) => [
    { id: `${accountId}-${Date.parse(pausedAt)}`, accountId: accountId!, pausedAt },
  ]),
  async read({ db, config }, { accountId, pausedAt }) {
    const account = await findAccount(db, accountId)
    const owner = await findOwner(db, accountId)
    // resumed meanwhile
    if (!account || !owner || (await pausedSince(db, accountId)) !== pausedAt) return null
    if (account.disabledAt) return 'later'
    const data = { accountName: account.name, url: `${config.appUrl}/payouts/reconciliation` }
    return { to: owner.email, userId: owner.userId, data }
  },
  write: ({ accountName, url }) => ({
    account: accountName,
    subject: 'Payouts are paused: the database may be an older copy',
    preview: 'Nothing is paid until you’ve compared the transfers.',
    parts: [
      `Transfers were found that the partner program of ${accountOf(accountName)} has no record of, or its database was restored. To avoid paying anyone twice, no payouts are approved or sent for now. Outgoing webhooks may also be paused.`,
      'Compare the transfers with your ledger, decide what to do with those it has no record of, and resume payouts.',
    ],
    button: { label: 'Compare transfers', url },
    because: becauseOwner(accountName),
  }),
  sample: { accountName: 'Northwind', url: 'https://partners.example.com/payouts/reconciliation' },
})
