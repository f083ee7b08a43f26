import { currentLanguage } from '#contract/language.ts'
import { pickText } from '#contract/pick-text.ts'
import type { Transaction } from '../../../platform/database/pool.ts'
import { dayInWords } from '../../../platform/format-values.ts'
import type { AccountFacts } from '../../../program/access/account-facts.ts'
import { agreementToAccept, publishedSince, waitingPartners } from '../../../program/agreement/acceptance-state.ts'
import type { VersionRow } from '../../../program/agreement/versions.ts'
import { newsMail } from '../mail.ts'
import { accountFirst, quoteText, toPartner } from '../message.ts'
import { insertNews, LATE_DAYS } from '../news-queries.ts'
import { programMailPhrases } from '../program-text.ts'

const words = programMailPhrases.agreement
const DAY = 86_400_000

export const agreementPublished = newsMail({
  group: 'agreement',
  title: 'Partner agreement published',
  description: 'A partner is asked to accept a new version of the partner agreement.',
  daily: notePublished,
  async read({ db, account, partnerId, origin }) {
    const newest = partnerId && (await agreementToAccept(db, account.id, partnerId))
    if (!newest) return null
    const { version, requiredFrom, changes, language, translations } = newest
    return {
      accountName: account.name,
      version,
      published: { changes, language, translations },
      from: requiredFrom,
      url: `${origin}/dashboard`,
    }
  },
  write: ({ accountName, version, url, ...facts }) => ({
    ...toPartner(accountName),
    subject: version === 1 ? words.firstSubject : words.changedSubject,
    preview: words.preview,
    parts: [
      version === 1
        ? words.asks({ account: accountFirst(accountName) })
        : words.published({ account: accountFirst(accountName), version: `${version}` }),
      ...partsOf(facts),
    ],
    button: { label: words.read, url },
  }),
  editable: {
    kind: () => 'agreement-published',
    values: ({ version }) => ({ version: `${version}` }),
    details: partsOf,
  },
  sample: {
    accountName: 'Northwind',
    version: 2,
    published: { changes: 'Coupons of your own are no longer allowed.', language: 'en', translations: {} },
    from: '2026-12-15',
    url: 'https://partners.example.com/dashboard',
  },
})

/** The changes of a version, and since when it must be accepted. */
type Facts = { published: Pick<VersionRow, 'changes' | 'language' | 'translations'>; from: string | null }

function partsOf({ published, from }: Facts) {
  const changes = pickText(published, 'changes', published.language, currentLanguage()).value
  return [
    ...[quoteText(changes)].filter((part) => part !== ''),
    ...(from ? [words.payoutsWait({ day: dayInWords(from) })] : []),
  ]
}

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
