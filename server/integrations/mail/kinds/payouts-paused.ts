import { rights } from '#contract/endpoint.ts'
import { pausedSince } from '../../../program/payouts/payout-terms.ts'
import { payoutsPaused } from '../../../program/payouts/signals.ts'
import { defineMail, onSignal, readForTeam } from '../mail.ts'
import { formatAccountName, toTeam } from '../message.ts'

export const payoutsPausedMail = defineMail({
  group: 'payouts',
  title: 'Payouts paused',
  description: 'The database may be an older copy, and payouts wait for their owner.',
  when: onSignal(payoutsPaused, ({ pausedAt }, { accountId }) => [
    { id: `${accountId}-${Date.parse(pausedAt)}`, accountId: accountId!, pausedAt },
  ]),
  team: rights.pay,
  read: (services, about) =>
    readForTeam(services, about, rights.pay, async ({ name: accountName }) => {
      // resumed meanwhile
      if ((await pausedSince(services.db, about.accountId)) !== about.pausedAt) return null
      return { accountName, url: `${services.config.appUrl}/payouts/reconciliation` }
    }),
  write: ({ accountName, url }) => ({
    ...toTeam(accountName),
    subject: 'Payouts are paused: the database may be an older copy',
    preview: 'Nothing is paid until you’ve compared the transfers.',
    parts: [
      `Transfers were found that the partner program of ${formatAccountName(accountName)} has no record of, or its database was restored. To avoid paying anyone twice, no payouts are approved, put in files or sent for now. Outgoing webhooks may also be paused.`,
      'Compare the transfers with your ledger, and decide what to do with those it has no record of. Payouts made by file or manually since the copy aren’t in it either: mark them as paid again. Then resume payouts.',
    ],
    button: { label: 'Compare transfers', url },
  }),
  sample: { accountName: 'Northwind', url: 'https://partners.example.com/payouts/reconciliation' },
})
