import { rights } from '#contract/endpoint.ts'
import { hostNeedingAttention } from '../../../program/custom-domains/present-host.ts'
import { hostFailed } from '../../../program/custom-domains/signals.ts'
import { defineMail, onSignal, readForTeam } from '../mail.ts'
import { formatAccountName, toTeam } from '../message.ts'

export const hostAttention = defineMail({
  group: 'integrations',
  title: 'Own domain needs attention',
  description: 'The own domain of an account has failed for a week, or belongs to another account now.',
  when: onSignal(hostFailed, ({ name }, { id, accountId }) => (accountId ? [{ id, accountId, name }] : [])),
  team: rights.own,
  read: (services, { name, ...about }) =>
    readForTeam(services, about, rights.own, async (account) => {
      // null: it works again, or was given up meanwhile
      const problem = await hostNeedingAttention(services.db, account.id, name)
      const url = `${services.config.appUrl}/account/settings?tab=branding`
      return problem === null ? null : { accountName: account.name, problem, url }
    }),
  write: ({ accountName, problem, url }) => ({
    ...toTeam(accountName),
    subject: 'Your own domain needs attention',
    preview: 'New links don’t use your own domain anymore.',
    parts: [
      `There’s a problem with the own domain of ${formatAccountName(accountName)}. Until it’s fixed, new links and mails to partners use the address of the server. Existing links with your own domain only work while it leads to the server.`,
      { facts: [{ label: 'Problem', value: problem }] },
    ],
    button: { label: 'Check the domain', url },
  }),
  sample: {
    accountName: 'Northwind',
    problem: 'The host name join.northwind.example can’t be found.',
    url: 'https://partners.example.com/account/settings?tab=branding',
  },
})
