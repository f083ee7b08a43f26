import type { CommissionEntry } from '#contract/commissions.ts'
import { moneyInWords } from '#contract/money.ts'
import type { Sale } from '#contract/sales.ts'
import type { Queryable } from '../../../platform/database/pool.ts'
import { dayInWords } from '../../../platform/format-values.ts'
import { entriesWithPayout, entryStatus } from '../../../program/commissions/entry-status.ts'
import { leadNames } from '../../../program/leads/lead-facts.ts'
import { presentSales } from '../../../program/sales/present-sales.ts'
import { type Gathered, getReader, listSubjects } from '../mail.ts'
import { type Fact, listFirst, MOST_LINES, nameOr } from '../message.ts'
import { earningsMailPhrases } from '../program-text.ts'

/** Something to say about an entry, with a day if it needs one. */
type EntryNote = { code: keyof typeof earningsMailPhrases.notes; day?: string }

/** An entry as its partner may see it: `name` is null for another partner's lead, `sale` if its amount is hidden. */
type Line = {
  name: string | null
  day: string | null
  amount: number
  sale: { amount: number; currency: string } | null
  note: EntryNote | null
}

export type Entries = {
  accountName: string | null
  currency: string
  count: number
  total: number
  lines: Line[]
  url: string
}

/** Returns a partner's relevant entries: none of a voided sale. */
const relevantEntries = (db: Queryable, accountId: string, partnerId: string | null, ids: string[]) => db.many<{
  id: string
  saleId: string | null
  leadId: string | null
  paidFor: CommissionEntry['paidFor']
  day: string
  amount: number
  currency: string
}>`
  select t.id, t.sale_id, t.lead_id, t.paid_for, t.day, t.amount, t.currency from ${entriesWithPayout}
  where t.account_id = ${accountId} and t.partner_id = ${partnerId} and t.id = any(${ids}::uuid[])
    and (t.amount < 0 or ${entryStatus(db.now, [accountId])} <> 'void')
  order by abs(t.amount) desc, t.id`

/** Reads a partner's entries, with the fields of each sale that the account shows to partners. */
export async function readEntries(
  gathered: Gathered,
  noteOf: (entry: CommissionEntry, sale: Sale, timeZone: string) => EntryNote | null,
): Promise<Entries | null> {
  const { db, account, origin } = gathered
  const entries = await relevantEntries(db, account.id, gathered.partnerId, listSubjects(gathered))
  const [first] = entries
  if (!first) return null
  const shown = entries.slice(0, MOST_LINES)
  const reader = getReader(gathered)
  const sales = await presentSales(db, reader, [...new Set(shown.flatMap(({ saleId }) => saleId ?? []))])
  const names = await leadNames(
    db,
    reader,
    shown.map(({ leadId }) => leadId),
  )
  const lines = shown.map(({ id, saleId, leadId, paidFor, day, amount }): Line => {
    if (paidFor) return { name: names.get(leadId!) ?? null, day, amount, sale: null, note: { code: paidFor } }
    const sale = sales.get(saleId!)!
    const entry = sale.commissions.find((one) => one.id === id)!
    return {
      name: sale.leadName,
      day: sale.saleDate,
      amount: entry.amount,
      sale: entry.amount > 0 && sale.amount !== null ? { amount: sale.amount, currency: sale.currency } : null,
      note: noteOf(entry, sale, account.timeZone),
    }
  })
  return {
    accountName: account.name,
    currency: first.currency,
    count: entries.length,
    total: entries.reduce((sum, { amount }) => sum + amount, 0),
    lines,
    url: `${origin}/dashboard`,
  }
}

function factOf(currency: string, { name, day, amount, sale, note }: Line): Fact {
  const words = earningsMailPhrases
  const notes = [
    ...(sale ? [words.ofSale({ amount: moneyInWords(sale.amount, sale.currency) })] : []),
    ...(note ? [words.notes[note.code]({ day: note.day ? dayInWords(note.day) : '' })] : []),
  ]
  return {
    label: [name === null ? words.otherLead : nameOr(name, words.aCustomer), day && dayInWords(day)]
      .filter(Boolean)
      .join(', '),
    value: moneyInWords(amount, currency),
    note: notes.join(' · ') || null,
  }
}

export const entryLines = ({ lines, currency, count }: Entries) =>
  listFirst(
    count,
    lines.map((line) => factOf(currency, line)),
  )
