import { rights } from '#contract/endpoint.ts'
import { getSeries } from '../../../program/invoicing/series.ts'
import { seriesUnsure } from '../../../program/invoicing/signals.ts'
import { defineMail, onSignal, readForTeam } from '../mail.ts'
import { formatAccountName, toTeam } from '../message.ts'

export const seriesUnsureMail = defineMail({
  group: 'payouts',
  title: 'Next invoice number needed',
  description: 'The database was restored, and invoices wait for their numbers.',
  when: onSignal(seriesUnsure, ({ since }, { accountId }) => [
    { id: `${accountId}-${Date.parse(since)}`, accountId: accountId! },
  ]),
  team: rights.own,
  read: (services, about) =>
    readForTeam(services, about, rights.own, async ({ name: accountName }) => {
      // entered meanwhile
      if (!(await getSeries(services.db, about.accountId)).unsure) return null
      return { accountName, url: `${services.config.appUrl}/account/settings?tab=invoices` }
    }),
  write: ({ accountName, url }) => ({
    ...toTeam(accountName),
    subject: 'Enter the next invoice number',
    preview: 'The database was restored, so invoices wait for their numbers.',
    parts: [
      `The database with the partner program of ${formatAccountName(accountName)} was restored from an older copy. Invoices may have been issued since then that it has no record of.`,
      'Payouts continue, but their invoices wait. Find the last number that you issued, and enter the next one. What waited is then numbered by the day on which its money left.',
    ],
    button: { label: 'Enter the number', url },
  }),
  sample: { accountName: 'Northwind', url: 'https://partners.example.com/account/settings' },
})
