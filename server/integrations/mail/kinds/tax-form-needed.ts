import type { Transaction } from '../../../platform/database/pool.ts'
import { sql } from '../../../platform/database/sql.ts'
import { yearIn } from '../../../platform/time/days.ts'
import type { AccountFacts } from '../../../program/access/account-facts.ts'
import { getInvoicingSettings } from '../../../program/invoicing/settings.ts'
import { isForPartner } from '../../../program/payouts/blockers.ts'
import { readBalances } from '../../../program/payouts/partner-balances.ts'
import { getPayoutTerms } from '../../../program/payouts/payout-terms.ts'
import { formCounts } from '../../../program/payouts/tax-form-on-file.ts'
import { settingsUrl } from '../about/payout.ts'
import { newsMail } from '../mail.ts'
import { accountFirst, toPartner } from '../message.ts'
import { insertNews, type News, readsMail } from '../news-queries.ts'
import { payoutMailPhrases } from '../text.ts'

const DAY = 86_400_000
/** Mails per year, and the time between them. */
const MOST = 4
const APART = 7 * DAY

export const taxFormNeeded = newsMail({
  group: 'reminders',
  title: 'Tax form needed',
  description: 'An account asks a partner whom it owes money for a tax form, once a week.',
  daily: noteNeeded,
  async read(gathered) {
    const { db, account, partnerId } = gathered
    if ((await getInvoicingSettings(db, account.id)).taxForms !== 'ask') return null
    const year = yearIn(account.timeZone, db.now)
    const lacks = await db.maybe`
      select from partners n
      where n.account_id = ${account.id} and n.id = ${partnerId} and not ${formCounts(account.id, sql`n`, year)}`
    return lacks ? { accountName: account.name, year, url: settingsUrl(gathered) } : null
  },
  write({ accountName, year: ofYear, url }) {
    const words = payoutMailPhrases.taxForm
    const year = String(ofYear)
    return {
      ...toPartner(accountName),
      subject: words.subject,
      preview: words.preview({ year }),
      parts: [words.text({ account: accountFirst(accountName), year }), words.help],
      button: { label: words.add, url },
    }
  },
  editable: { kind: () => 'tax-form-needed' },
  sample: { accountName: 'Northwind', year: 2026, url: 'https://partners.example.com/partner/settings' },
})

type Lacking = { partnerId: string; mails: number; lastAt: string | null }

/**
 * Inserts news for partners who are owed money and lack a form, if the account asks for one. A required form is a
 * blocker, covered by the payout's own mails; other steps a partner must take come first.
 */
async function noteNeeded(tx: Transaction, account: AccountFacts) {
  if ((await getInvoicingSettings(tx, account.id)).taxForms !== 'ask') return
  const year = yearIn(account.timeZone, tx.now)
  const lacking = await tx.many<Lacking>`
    select n.id as partner_id, told.*
    from (select distinct partner_id as id from payouts
      where account_id = ${account.id} and status in ('gathering', 'failed')) o
      cross join lateral (
        select n.id from partners n
        where n.account_id = ${account.id} and n.id = o.id and ${readsMail} and not ${formCounts(account.id, sql`n`, year)} offset 0) n
      cross join lateral (
        select count(*) filter (where w.occasion like ${`${year}-%`}) as mails, max(w.created_at) as last_at
        from mail_news w
        where w.account_id = ${account.id} and w.partner_id = n.id and w.kind = 'tax-form-needed') told`
  const ready = lacking.filter(
    ({ mails, lastAt }) => mails < MOST && (lastAt === null || tx.now.getTime() - Date.parse(lastAt) >= APART),
  )
  if (ready.length === 0) return
  const ids = ready.map(({ partnerId }) => partnerId)
  const balances = await readBalances(tx, await getPayoutTerms(tx, account), ids)
  const owed = new Set(
    balances.flatMap(({ partnerId, due, blockers }) => (due > 0 && !blockers.some(isForPartner) ? [partnerId] : [])),
  )
  await insertNews(
    tx,
    ready.flatMap(({ partnerId, mails }): News[] =>
      owed.has(partnerId)
        ? [
            {
              accountId: account.id,
              partnerId,
              subjectId: partnerId,
              kind: 'tax-form-needed',
              occasion: `${year}-${mails + 1}`,
            },
          ]
        : [],
    ),
  )
}
