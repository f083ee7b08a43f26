import type { Transaction } from '../../../platform/database/pool.ts'
import { dayIn } from '../../../platform/time/days.ts'
import type { AccountFacts } from '../../../program/access/account-facts.ts'
import {
  type AnnouncedTerms,
  listAnnouncedTerms,
  listTermsAnnouncedSince,
  partnersWith,
} from '../../../program/terms/announced-terms.ts'
import { readTerms } from '../../../program/terms/terms-state.ts'
import { describeReach, type NewTerms, newTerms, termsParts } from '../about/terms.ts'
import { type Gathered, newsMail } from '../mail.ts'
import { accountFirst, nameOr, toPartner } from '../message.ts'
import { insertNews, LATE_DAYS } from '../news-queries.ts'
import { programMailPhrases } from '../program-text.ts'
import { mailPhrases } from '../text.ts'

const DAY = 86_400_000

/** `link` is null for the terms of all their links. */
type Changed = NewTerms & { link: string | null }

export const termsChanged = newsMail({
  group: 'sales',
  title: 'Terms changed',
  description: 'What a partner earns changed, and the owner chose to tell them.',
  daily: saveTermsNews,
  async read(gathered) {
    const { db, account, origin, news } = gathered
    const announcements = await listAnnouncedTerms(
      db,
      account.id,
      news.map(({ occasion }) => Number(occasion)),
    )
    // the newest version for each link, and for all other customers
    const newest = new Map(announcements.map((one) => [one.subject === 'link' ? one.subjectId : null, one]))
    return {
      accountName: account.name,
      currency: account.defaultCurrency,
      changed: await Promise.all([...newest.values()].map((one) => changedBy(gathered, one))),
      url: `${origin}/dashboard`,
    }
  },
  write: ({ accountName, currency, changed, url }) => ({
    ...toPartner(accountName),
    subject: programMailPhrases.terms.subject,
    preview: changed.map(describeReach).join(' '),
    parts: [
      programMailPhrases.terms.changed({ account: accountFirst(accountName) }),
      ...changed.flatMap((one) => partsOf(one, currency)),
    ],
    button: { label: mailPhrases.openDashboard, url },
  }),
  editable: {
    kind: () => 'terms-changed',
    details: ({ changed, currency }) => changed.flatMap((one) => partsOf(one, currency)),
  },
  sample: {
    accountName: 'Northwind',
    currency: 'usd',
    changed: [
      {
        link: null,
        terms: {
          rules: [{ name: 'Pro, first year', on: 'sale', when: { firstMonths: 12 }, layerRates: [30] }],
          otherwise: { layerRates: [10] },
          maxPerCustomer: null,
          maxPerMonth: null,
        },
        recurringMonths: null,
        reach: 'new-customers',
        from: '2026-11-24',
        differs: true,
      },
    ] as Changed[],
    url: 'https://partners.example.com/dashboard',
  },
})

async function changedBy({ db, account, partnerId }: Gathered, terms: AnnouncedTerms): Promise<Changed> {
  const { subject, subjectId, appliesTo, savedAt } = terms
  const of = subject === 'link' ? { kind: subject, id: subjectId } : { kind: 'partner' as const, id: partnerId! }
  const state = await readTerms(db, account.id, of, 'partner')
  return {
    link: subject === 'link' ? state.inForce.sourceName : null,
    ...newTerms(state, appliesTo, dayIn(account.timeZone, new Date(savedAt))),
  }
}

const partsOf = (changed: Changed, currency: string) => [
  ...(changed.link === null ? [] : [ofLink(nameOr(changed.link, ''))]),
  ...termsParts(changed, currency),
]

const ofLink = (link: string) =>
  link ? programMailPhrases.terms.ofLink({ link }) : programMailPhrases.terms.ofUnnamedLink

/** Inserts news for partners about each version saved since the last mail; also up to two days late. */
async function saveTermsNews(tx: Transaction, { id: accountId }: AccountFacts) {
  const announcements = await listTermsAnnouncedSince(tx, accountId, new Date(tx.now.getTime() - (1 + LATE_DAYS) * DAY))
  for (const one of announcements) {
    const partners = await partnersWith(tx, accountId, one)
    const news = { accountId, kind: 'terms-changed', subjectId: one.subjectId, occasion: String(one.number) } as const
    if (partners.length > 0)
      await insertNews(
        tx,
        partners.map((partnerId) => ({ ...news, partnerId })),
      )
  }
}
