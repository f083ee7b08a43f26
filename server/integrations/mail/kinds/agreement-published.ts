import type { Transaction } from '../../../platform/database/pool.ts'
import { dayInWords } from '../../../platform/format-values.ts'
import type { AccountFacts } from '../../../program/access/account-facts.ts'
import { agreementToAccept, publishedSince, waitingPartners } from '../../../program/agreement/acceptance-state.ts'
import { newsMail } from '../mail.ts'
import { accountFirst, quoteText, toPartner } from '../message.ts'
import { insertNews, LATE_DAYS } from '../news-queries.ts'

const DAY = 86_400_000

export const agreementPublished = newsMail({
  group: 'agreement',
  title: 'Partner agreement published',
  description: 'A partner is asked to accept a new version of the partner agreement.',
  daily: notePublished,
  async read({ db, account, partnerId, origin }) {
    const newest = partnerId && (await agreementToAccept(db, account.id, partnerId))
    if (!newest) return null
    const { version, changes, requiredFrom } = newest
    return { accountName: account.name, version, changes, from: requiredFrom, url: `${origin}/dashboard` }
  },
  write: ({ accountName, version, changes, from, url }) => ({
    ...toPartner(accountName),
    subject: version === 1 ? 'Please accept the partner agreement' : 'The partner agreement has changed',
    preview: 'Please read and accept it.',
    parts: [
      version === 1
        ? `${accountFirst(accountName)} asks you to accept the partner agreement.`
        : `${accountFirst(accountName)} published version ${version} of the partner agreement. Please read and accept it.`,
      ...[quoteText(changes)].filter((part) => part !== ''),
      ...(from ? [`From ${dayInWords(from)}, your payouts will wait until you’ve accepted it.`] : []),
    ],
    button: { label: 'Read the agreement', url },
  }),
  sample: {
    accountName: 'Northwind',
    version: 2,
    changes: 'Coupons of your own are no longer allowed.',
    from: '2026-12-15',
    url: 'https://partners.example.com/dashboard',
  },
})

/** Inserts news of a version published since the last mail, to the partners who wait; also up to two days late. */
async function notePublished(tx: Transaction, { id: accountId }: AccountFacts) {
  const since = new Date(tx.now.getTime() - (1 + LATE_DAYS) * DAY)
  const newest = await publishedSince(tx, accountId, since)
  if (!newest) return
  const occasion = String(newest.version)
  const news = { accountId, kind: 'agreement-published', subjectId: accountId, occasion } as const
  const partners = await waitingPartners(tx, accountId, newest.version)
  if (partners.length > 0)
    await insertNews(
      tx,
      partners.map((partnerId) => ({ ...news, partnerId })),
    )
}
