import { rights } from '#contract/endpoint.ts'
import { hostNeedingAttention } from '../../../program/hosts/present-host.ts'
import { hostFailed } from '../../../program/hosts/signals.ts'
import { accountOf, toTeam } from '../letter.ts'
import { mail, on, readForTeam } from '../mail.ts'

export const hostAttention = mail({
  group: 'integrations',
  title: 'Own domain needs attention',
  description: 'The own domain of an account has failed for a week, or belongs to another account now.',
  when: on(hostFailed, ({ name }, { id, accountId }) => (accountId ? [{ id, accountId, name }] : [])),
  team: rights.own,
  read: (services, { name, ...about }) =>
    readForTeam(services, about, rights.own, async (account) => {
      // null: it works again, or was given up meanwhile
      const problem = await hostNeedingAttention(services.db, account.id, name)
      const { appUrl } = services.config
      return problem === null
        ? null
        : { accountName: account.name, name, problem, appUrl, url: `${appUrl}/account/settings?tab=program` }
    }),
  write: ({ accountName, name, problem, appUrl, url }) => ({
    ...toTeam(accountName),
    subject: `${name} needs your attention`,
    preview: 'New links don’t use your own domain any more.',
    parts: [
      `There’s a problem with ${name}, the own domain of ${accountOf(accountName)}. New links and mails to partners begin with ${appUrl} until it’s fixed. Links that were given out before lead nowhere while the domain doesn’t answer.`,
      { facts: [{ label: 'Problem', value: problem }] },
    ],
    button: { label: 'Check the domain', url },
  }),
  sample: {
    accountName: 'Northwind',
    name: 'join.northwind.example',
    problem: 'The host name join.northwind.example can’t be found.',
    appUrl: 'https://partners.example.com',
    url: 'https://partners.example.com/account/settings?tab=program',
  },
})
