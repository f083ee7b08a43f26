import { rights } from '#contract/endpoint.ts'
import { countInWords } from '../../../platform/format-values.ts'
import { countByPerson } from '../../../program/payouts/payouts.ts'
import { paydayCame } from '../../../program/payouts/signals.ts'
import { defineMail, onSignal, readForTeam } from '../mail.ts'
import { formatAccountName, toTeam } from '../message.ts'

export const payday = defineMail({
  group: 'payouts',
  title: 'Payday',
  description: 'It’s a payday, and payouts wait to be approved or marked as paid.',
  when: onSignal(paydayCame, ({ day }, { accountId }) => [{ id: `${accountId}-${day}`, accountId: accountId! }]),
  team: rights.pay,
  read: (services, about) =>
    readForTeam(services, about, rights.pay, async (account) => {
      const due = await countByPerson(services.db, account)
      return due === 0 ? null : { accountName: account.name, due, url: `${services.config.appUrl}/payouts` }
    }),
  write: ({ accountName, due, url }) => ({
    ...toTeam(accountName),
    subject: `Payday: ${countInWords(due, 'payout')} ${due === 1 ? 'waits' : 'wait'}`,
    preview: 'Approve them, or pay them and mark them as paid.',
    parts: [
      `Today is a payday of the partner program of ${formatAccountName(accountName)}, and ${countInWords(due, 'payout')} ${due === 1 ? 'waits' : 'wait'} for you.`,
      'Approve them, or pay them and mark them as paid.',
    ],
    button: { label: 'View payouts', url },
  }),
  sample: { accountName: 'Northwind', due: 12, url: 'https://partners.example.com/payouts' },
})
