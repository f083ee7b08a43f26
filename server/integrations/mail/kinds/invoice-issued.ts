import type { Invoice } from '#contract/invoices.ts'
import { moneyInWords } from '#contract/money.ts'
import { dayInWords } from '../../../platform/format-values.ts'
import { portalUrl } from '../../../program/custom-domains/portal-url.ts'
import { presentInvoices } from '../../../program/invoices/present.ts'
import { documentsIssued } from '../../../program/invoicing/signals.ts'
import { defineMail, onSignal } from '../mail.ts'
import { accountFirst, nameOr, toPartner } from '../message.ts'
import { partnerRecipient } from '../news-queries.ts'
import { findAccount } from '../queries.ts'
import { payoutMailPhrases } from '../text.ts'

const words = payoutMailPhrases.documents

type Document = Pick<Invoice, 'number' | 'kind' | 'gross' | 'currency'> & { day: string }

/** Documents named in one mail; the list has all of them. */
const MOST_NAMED = 20

export const invoiceIssued = defineMail({
  group: 'payouts',
  title: 'Invoice issued',
  description: 'A credit note was issued, or an invoice that the email about its payout couldn’t name yet.',
  when: onSignal(documentsIssued, ({ partnerId, invoiceIds }, { id, accountId }) => [
    { id: `${id}`, accountId: accountId!, partnerId, invoiceIds },
  ]),
  async read({ db, config }, { accountId, partnerId, invoiceIds }) {
    const account = await findAccount(db, accountId)
    const recipient = await partnerRecipient(db, accountId, partnerId)
    if (!account || !recipient) return null
    if (account.disabledAt) return 'later'
    const found = await presentInvoices(db, accountId, invoiceIds)
    const documents = invoiceIds.flatMap((id) =>
      found.filter((one) => one.id === id).map((one): Document => ({ ...one, day: one.issuedOn })),
    )
    if (documents.length === 0) return null
    const data = {
      accountName: account.name,
      documents,
      url: `${portalUrl(config, account)}/partners/${partnerId}?tab=invoices`,
    }
    return { ...recipient, accountId, data }
  },
  write: ({ accountName, documents, url }) => ({
    ...toPartner(accountName),
    subject: subjectOf(documents),
    preview: words.preview({ account: accountFirst(accountName) }),
    parts: [
      (documents.length === 1 ? words.one : words.several)({ account: accountFirst(accountName) }),
      {
        facts: documents.slice(0, MOST_NAMED).map((one) => ({
          label: nameOf(one),
          value: `${one.kind === 'credit-note' ? '−' : ''}${moneyInWords(one.gross, one.currency)}, ${dayInWords(one.day)}`,
        })),
      },
    ],
    button: { label: words.open, url },
  }),
  sample: {
    accountName: 'Northwind',
    documents: [
      { number: 'INV-118', kind: 'invoice', day: '2026-11-20', gross: 119_00, currency: 'eur' },
      { number: 'INV-119', kind: 'credit-note', day: '2026-11-24', gross: 119_00, currency: 'eur' },
    ],
    url: 'https://partners.example.com/partner/payouts',
  },
})

const nameOf = ({ kind, number }: Document) => words[kind]({ number: nameOr(number, '') }).trim()

function subjectOf(documents: Document[]) {
  const [first, ...others] = documents
  if (others.length === 0) return nameOf(first!)
  const isOneKind = others.every(({ kind }) => kind === first!.kind)
  return words.issued[isOneKind ? first!.kind : 'mixed']({ count: documents.length })
}
