import { isDeepStrictEqual } from 'node:util'
import type { Invoice } from '#contract/invoices.ts'
import type { Author } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { refusal } from '../../platform/refusal.ts'
import { dayIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { getParties, invoiceTerms, newestDetails } from '../invoicing/details.ts'
import { identifyParty } from '../invoicing/party-ids.ts'
import { lockSeries } from '../invoicing/series.ts'
import { getInvoicingSettings } from '../invoicing/settings.ts'
import { taxOn, treatmentWords } from '../invoicing/treatment.ts'
import { announceIssued, insertDocuments, type NewDocument, saveNextNumber } from './issue.ts'
import { presentInvoices } from './present.ts'
import { NEWEST_FORM, type Snapshot } from './snapshot.ts'

/**
 * Corrects the details of an invoice, today: a credit note takes it back whole, and a new invoice over the same cash line
 * has both parties' present details. The books, the payment and its VAT stay as they are.
 * Refuses: `credit_note_stays`; `series_unsure`; `credited_already`; `correction_impossible`; `tax_would_change`;
 * `nothing_to_correct`.
 */
export async function issueCorrection(
  tx: Transaction,
  by: Author,
  { id: accountId, timeZone }: Pick<AccountFacts, 'id' | 'timeZone'>,
  id: string,
  reason: string,
): Promise<Invoice> {
  const { partnerId } = await tx.one<{ partnerId: string }>`
    select partner_id from invoices where account_id = ${accountId} and id = ${id}`
  // their details stay until the end, and the series comes last, as for every document
  await tx.one`select from partners where account_id = ${accountId} and id = ${partnerId} for share`
  const series = await lockSeries(tx, accountId)
  const before = await readInvoice(tx, accountId, id)
  if (before.kind !== 'invoice') throw refusal('credit_note_stays')
  if (series.unsure) throw refusal('series_unsure')
  if (before.isCredited) throw refusal('credited_already')
  const { treatment, rate, snapshot } = before
  const line = { ...before, day: dayIn(timeZone, tx.now) }
  const revision = before.revision + 1
  const note = { line, revision, treatment, rate, snapshot, credits: id }
  const present = await withPresentDetails(tx, accountId, before)
  const [noteId, newId] = (await insertDocuments(tx, accountId, series, [
    note,
    { line, revision, ...present, credits: null },
  ])) as [string, string]
  await saveNextNumber(tx, accountId, series)
  await announceIssued(tx, accountId, [noteId, newId], () => true)
  const [corrected] = await presentInvoices(tx, accountId, [newId])
  await recordActivity(tx, by, accountId, 'invoice.corrected', {
    id,
    changes: { correctedBy: { old: null, new: corrected!.number }, reason: { old: null, new: reason } },
  })
  return corrected!
}

type Before = NewDocument['line'] &
  Pick<NewDocument, 'treatment' | 'rate' | 'snapshot'> & {
    kind: Invoice['kind']
    revision: number
    isCredited: boolean
  }

const readInvoice = (tx: Transaction, accountId: string, id: string) => tx.one<Before>`
  select i.kind, i.payout_id, i.turn, i.revision, i.partner_id, i.issued_on as day, i.net, i.tax, i.currency, i.treatment,
    i.tax_rate as rate, i.snapshot,
    exists (select from invoices c where c.account_id = ${accountId} and c.credits = i.id) as is_credited
  from invoices i where i.account_id = ${accountId} and i.id = ${id}`

/** Returns an invoice's content with the details that both parties have now. */
async function withPresentDetails(
  tx: Transaction,
  accountId: string,
  { partnerId, net, tax, treatment, rate, snapshot }: Before,
): Promise<Pick<NewDocument, 'treatment' | 'rate' | 'snapshot'>> {
  const settings = await getInvoicingSettings(tx, accountId)
  const details = (await newestDetails(tx, accountId, [partnerId])).get(partnerId)
  // an account that no longer issues invoices may correct those of before
  const terms = invoiceTerms({ ...settings, enabled: true }, details)
  // the details of an erased person have no name
  if (!terms || !details?.legalName) throw refusal('correction_impossible')
  if (taxOn(net, terms.rate) !== tax) throw refusal('tax_would_change')
  const { version } = terms
  const partyOf = await getParties(tx, accountId, [{ partnerId, version }])
  const present: Snapshot = {
    ...snapshot,
    form: snapshot.form ?? NEWEST_FORM,
    account: identifyParty(terms.account),
    partner: partyOf(partnerId, version),
    words: treatmentWords(terms.treatment, terms.account),
  }
  if (isDeepStrictEqual([treatment, rate, snapshot], [terms.treatment, terms.rate, present]))
    throw refusal('nothing_to_correct')
  return { treatment: terms.treatment, rate: terms.rate, snapshot: present }
}
