import { moneyInWords } from '#contract/money.ts'
import type { Reach, Terms } from '#contract/terms.ts'
import { termsInWords } from '#contract/terms-in-words.ts'
import type { Transaction } from '../../../platform/database/pool.ts'
import { dayInWords } from '../../../platform/in-words.ts'
import { dayIn } from '../../../platform/time/days.ts'
import type { AccountFacts } from '../../../program/access/account-facts.ts'
import { readTerms } from '../../../program/terms/terms-state.ts'
import { partnersWith, type ToldTerms, toldNumbered, toldSince } from '../../../program/terms/told-terms.ts'
import { accountFirst, type Part, said, toPartner } from '../letter.ts'
import { type Gathered, newsMail } from '../mail.ts'
import { insertNews, LATE_DAYS } from '../news-queries.ts'

const DAY = 86_400_000

/** Terms as their partner reads them; `link` is null for those of all their links. */
type Changed = { link: string | null; terms: Terms; reach: Reach; from: string }

export const termsChanged = newsMail({
  group: 'sales',
  title: 'Terms changed',
  description: 'What a partner earns changed, and the owner chose to tell them.',
  daily: noteTold,
  async read(gathered) {
    const { db, account, appUrl, news } = gathered
    const told = await toldNumbered(
      db,
      account.id,
      news.map(({ occasion }) => Number(occasion)),
    )
    // the newest version for each link, and for all other customers
    const newest = new Map(told.map((one) => [one.subject === 'link' ? one.subjectId : null, one]))
    return {
      accountName: account.name,
      currency: account.defaultCurrency,
      changed: await Promise.all([...newest.values()].map((one) => changedBy(gathered, one))),
      url: `${appUrl}/dashboard`,
    }
  },
  write: ({ accountName, currency, changed, url }) => ({
    ...toPartner(accountName),
    subject: 'What you earn has changed',
    preview: changed.map(fromWhen).join(' '),
    parts: [`${accountFirst(accountName)} changed what you earn.`, ...changed.flatMap((one) => partsOf(one, currency))],
    button: { label: 'Open dashboard', url },
  }),
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
        reach: 'new-customers',
        from: '2026-11-24',
      },
    ] as Changed[],
    url: 'https://partners.example.com/dashboard',
  },
})

async function changedBy({ db, account, partnerId }: Gathered, told: ToldTerms): Promise<Changed> {
  const { subject, subjectId, appliesTo, savedAt } = told
  const of = subject === 'link' ? { kind: subject, id: subjectId } : { kind: 'partner' as const, id: partnerId! }
  const { inForce } = await readTerms(db, account.id, of, 'partner')
  return {
    link: subject === 'link' ? inForce.sourceName : null,
    terms: inForce.terms,
    reach: appliesTo,
    from: dayIn(account.timeZone, new Date(savedAt)),
  }
}

const fromWhen = ({ reach, from }: Changed) =>
  reach === 'all-sales'
    ? `This applies to all sales from ${dayInWords(from)}.`
    : `This applies to customers referred from ${dayInWords(from)}. Earlier customers keep their terms.`

const countries = new Intl.DisplayNames('en-US', { type: 'region' })

function partsOf(changed: Changed, currency: string): Part[] {
  const { link, terms } = changed
  const rules = terms.rules.map((rule) => ({ ...rule, name: rule.name && said(rule.name, 'A rule') }))
  const { lines, caps } = termsInWords(
    { ...terms, rules },
    {
      reader: 'partner',
      money: (amount) => moneyInWords(amount, currency),
      rate: (percent) => `${percent}%`,
      country: (code) => countries.of(code) ?? code,
    },
  )
  const facts = lines.map(({ what, pays }) => ({ label: what, value: pays }))
  return [
    link === null ? { facts } : { heading: `Customers of the link ${said(link, 'in question')}`, facts },
    ...caps.map((cap) => `${cap}.`),
    fromWhen(changed),
  ]
}

/** Inserts news to the partners of each version that was saved, and not told, since the last mail; also up to two days late. */
async function noteTold(tx: Transaction, { id: accountId }: AccountFacts) {
  const told = await toldSince(tx, accountId, new Date(tx.now.getTime() - (1 + LATE_DAYS) * DAY))
  for (const one of told) {
    const partners = await partnersWith(tx, accountId, one)
    const news = { accountId, kind: 'terms-changed', subjectId: one.subjectId, occasion: String(one.number) } as const
    if (partners.length > 0)
      await insertNews(
        tx,
        partners.map((partnerId) => ({ ...news, partnerId })),
      )
  }
}
