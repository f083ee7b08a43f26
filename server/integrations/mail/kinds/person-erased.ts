import { rights } from '#contract/endpoint.ts'
import { erasureById } from '../../../program/privacy/list-erasures.ts'
import { personErased } from '../../../program/privacy/signals.ts'
import { defineMail, onSignal, readForTeam } from '../mail.ts'
import { formatAccountName, nameOr, toOwner } from '../message.ts'

/** To the account's owners: by ids and dates, never a name. */
export const personErasedMail = defineMail({
  group: 'security',
  title: 'Person erased',
  description: 'A lead’s or partner’s personal data was erased.',
  when: onSignal(personErased, ({ erasureId }, { id, accountId }) => [{ id, accountId: accountId!, erasureId }]),
  team: rights.own,
  read: (services, about) =>
    readForTeam(services, about, rights.own, async ({ name: accountName }) => {
      const { subject, recordsUntil, backupsUntil } = await erasureById(services.db, about.accountId, about.erasureId)
      const url = `${services.config.appUrl}/account/settings?tab=data`
      return { accountName, subject, recordsUntil, backupsUntil, url }
    }),
  write: ({ accountName, subject, recordsUntil, backupsUntil, url }) => ({
    ...toOwner(accountName),
    subject: subject.type === 'lead' ? 'A lead’s personal data was erased' : 'A partner’s personal data was erased',
    preview: 'The figures stay. This can’t be undone.',
    parts: [
      `The personal data of a ${subject.type === 'lead' ? 'lead' : 'partner'} of ${formatAccountName(accountName)} was erased. Figures, receipts and lists stay.`,
      {
        facts: [
          { label: 'ID', value: nameOr(subject.id, '') },
          { label: 'Records of payments until', value: nameOr(recordsUntil, '') },
          { label: 'In backups until', value: nameOr(backupsUntil, '') },
        ].filter(({ value }) => value !== ''),
      },
      'Payment providers and the receivers of your webhooks keep what they have. Please erase the person there too.',
    ],
    button: { label: 'See erased people', url },
  }),
  sample: {
    accountName: 'Northwind',
    subject: { type: 'lead', id: '01987e03-2b90-7a1f-8d77-f5b0e3c29a09' },
    recordsUntil: null,
    backupsUntil: '2026-09-09',
    url: 'https://partners.example.com/account/settings?tab=data',
  },
})
