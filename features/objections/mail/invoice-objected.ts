import { listSubjects, newsMail } from '#server/integrations/mail/mail.ts'
import { accountFirst, listFirst, MOST_LINES, nameOr, toTeam } from '#server/integrations/mail/message.ts'
import { countInWords } from '#server/platform/format-values.ts'
import { presentInvoices } from '#server/program/invoices/present.ts'
import { isObjectionOpen } from '../objection-state.ts'
import { reasonsOfObjections } from '../server/open-objections.ts'

export const invoiceObjected = newsMail({
  group: 'payouts',
  title: 'Invoice objected to',
  description: 'A partner objects to an invoice that you issued for them.',
  news: { 'invoice.objected': () => ({ to: 'team' }) },
  async read(gathered) {
    const { db, account, origin } = gathered
    const found = await presentInvoices(db, account.id, listSubjects(gathered))
    const open = found.filter(isObjectionOpen)
    if (open.length === 0) return null
    const named = open.slice(0, MOST_LINES)
    const reasons = await reasonsOfObjections(
      db,
      account.id,
      named.map(({ id }) => id),
    )
    return {
      accountName: account.name,
      count: open.length,
      invoices: named.map(({ id, number, partnerName }) => ({
        number,
        partnerName,
        objection: reasons.find((one) => one.id === id)?.objection ?? null,
      })),
      url: `${origin}/payouts?tab=invoices&objection=open`,
    }
  },
  write({ accountName, count, invoices, url }) {
    const [first] = invoices
    const one = count === 1 ? nameOr(first?.partnerName, 'A partner') : null
    const lines = invoices.map(({ number, partnerName, objection }) => ({
      label: `${nameOr(number, 'Invoice')}, ${nameOr(partnerName, 'a partner')}`,
      value: nameOr(objection, 'No reason'),
    }))
    return {
      ...toTeam(accountName),
      subject: one
        ? `${one} objects to invoice ${nameOr(first?.number, '')}`.trim()
        : countInWords(count, 'objection to an invoice', 'objections to invoices'),
      preview: lines.map(({ label, value }) => (one ? value : label)).join(', '),
      parts: [
        `${accountFirst(accountName)} has ${one ? 'a new objection to an invoice' : countInWords(count, 'new objection to an invoice', 'new objections to invoices')}. What was paid stays as it is.`,
        ...listFirst(count, lines),
        'Correct the invoice if the partner is right about its details, or close the objection.',
      ],
      button: { label: one ? 'Open objection' : 'Open objections', url },
    }
  },
  sample: {
    accountName: 'Northwind',
    count: 2,
    invoices: [
      { number: 'INV-118', partnerName: 'Pia Tern', objection: 'We moved: the street is wrong.' },
      { number: 'INV-120', partnerName: 'Sam Ortiz', objection: 'My VAT ID has changed.' },
    ],
    url: 'https://partners.example.com/payouts?tab=invoices&objection=open',
  },
})
