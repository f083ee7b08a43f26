import { parseProse } from '#contract/prose.ts'
import { defineMail, onSignal } from '#server/integrations/mail/mail.ts'
import { nameOr, toPartner } from '#server/integrations/mail/message.ts'
import { partnerRecipient } from '#server/integrations/mail/news-queries.ts'
import { mailPhrases } from '#server/integrations/mail/text.ts'
import { oneLine } from '#server/platform/format-values.ts'
import { getAccountFacts } from '#server/program/access/account-facts.ts'
import { findPresentOwner } from '#server/program/auth/invitation-queries.ts'
import { portalUrl } from '#server/program/custom-domains/portal-url.ts'
import { announcementFor, readersToMail, readText, recordReaderMail } from '../server/announcements.ts'
import { announcementSent } from '../server/signals.ts'

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
    const account = recipient && (await getAccountFacts(db, [accountId])).get(accountId)
    if (!account || account.disabledAt) return null
    const { language, subject, body } = readText(
      letter,
      nameOr(letter.firstName, '') || null,
      recipient.language ?? null,
    )
    return {
      ...recipient,
      accountId,
      // answers go to the owner of the program
      replyTo: (await findPresentOwner(db, accountId))?.email,
      data: { accountName: account.name, language, subject, body, url: `${portalUrl(config, account)}/dashboard` },
    }
  },
  async after({ db }, reader, delivery, { isLast }) {
    if (delivery instanceof Error) {
      if (isLast) await recordReaderMail(db, reader, 'failed')
    } else if (delivery.outcome !== 'held') await recordReaderMail(db, reader, became[delivery.outcome])
  },
  write: ({ accountName, language, subject, body, url }) => ({
    ...toPartner(accountName),
    textLanguage: language,
    subject,
    preview: oneLine(body).slice(0, 150),
    parts: [{ prose: parseProse(body) }],
    button: { label: mailPhrases.openDashboard, url },
  }),
  sample: {
    accountName: 'Northwind',
    language: 'en',
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
