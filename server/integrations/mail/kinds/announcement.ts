import { parseProse } from '#contract/prose.ts'
import { oneLine } from '../../../platform/format-values.ts'
import {
  announcementFor,
  fillReaderName,
  readersToMail,
  recordReaderMail,
} from '../../../program/announcements/announcements.ts'
import { announcementSent } from '../../../program/announcements/signals.ts'
import { findPresentOwner } from '../../../program/auth/invitation-queries.ts'
import { portalUrl } from '../../../program/custom-domains/portal-url.ts'
import { defineMail, onSignal } from '../mail.ts'
import { nameOr, toPartner } from '../message.ts'
import { partnerRecipient } from '../news-queries.ts'
import { findAccount } from '../queries.ts'

/** The mail of one reader. */
type About = { id: string; accountId: string; partnerId: string }

export const announcement = defineMail({
  group: 'news',
  title: 'Announcement',
  description: 'A message of a program to its partners.',
  oneOfMany: true,
  when: onSignal(announcementSent, async (next, { accountId }, tx): Promise<About[]> => {
    const partnerIds = await readersToMail(tx, accountId!, next)
    return partnerIds.map((partnerId) => ({ id: next.announcementId, accountId: accountId!, partnerId }))
  }),
  name: ({ id, partnerId }) => `announcement-${id}-${partnerId}`,
  async read({ db, config }, reader: About) {
    const { accountId, partnerId } = reader
    const letter = await announcementFor(db, reader)
    const recipient = letter && (await partnerRecipient(db, accountId, partnerId))
    const account = recipient && (await findAccount(db, accountId))
    if (!account || account.disabledAt) return null
    const { subject, body } = fillReaderName(letter, nameOr(letter.firstName, 'there'))
    return {
      to: recipient.email,
      userId: recipient.userId,
      accountId,
      // answers go to the owner of the program
      replyTo: (await findPresentOwner(db, accountId))?.email,
      data: { accountName: account.name, subject, body, url: `${portalUrl(config, account)}/dashboard` },
    }
  },
  async after({ db }, reader, delivery, { isLast }) {
    if (delivery instanceof Error) {
      if (isLast) await recordReaderMail(db, reader, 'failed')
    } else if (delivery.outcome !== 'held') await recordReaderMail(db, reader, became[delivery.outcome])
  },
  write: ({ accountName, subject, body, url }) => ({
    ...toPartner(accountName),
    subject,
    preview: oneLine(body).slice(0, 150),
    parts: [{ prose: parseProse(body) }],
    button: { label: 'Open dashboard', url },
  }),
  sample: {
    accountName: 'Northwind',
    subject: 'Twice the commission in December',
    body: 'Hello Jane,\n\nfor sales in December you earn twice as much.\n\n# What to do\n\n- Copy the new banner\n- Tell your readers: https://partners.example.com/december',
    url: 'https://partners.example.com/dashboard',
  },
})

const became = {
  sent: 'mailed',
  kept: 'mailed',
  refused: 'failed',
  'turned off': 'turned-off',
  pointless: 'left',
} as const
