import { isDeepStrictEqual } from 'node:util'
import type { Invoicing, InvoicingChange } from '#contract/invoices.ts'
import { type JournalAccount, journalAccountNames } from '#contract/journal-accounts.ts'
import { type Author, diffFields } from '../../platform/author.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { refusal, wrongField } from '../../platform/refusal.ts'
import { isCompanyNumberIn, toCompanyNumber } from './party-ids.ts'
import { isVatIdIn } from './vat-ids.ts'

/** An account's settings without its series. */
export type InvoicingSettings = Omit<Invoicing, 'prefix' | 'nextNumber' | 'unsure'>

const off: InvoicingSettings = {
  enabled: false,
  required: false,
  legalName: null,
  address: null,
  country: null,
  vatId: null,
  companyNumber: null,
  peppolId: null,
  vatRate: null,
  taxForms: 'off',
  ein: null,
  phone: null,
  journalAccounts: journalAccountNames,
}

type Row = Omit<InvoicingSettings, 'journalAccounts'> & { journalAccounts: Partial<Record<JournalAccount, string>> }

/** Returns the account's settings as the payer of its partners. */
export async function getInvoicingSettings(db: Queryable, accountId: string): Promise<InvoicingSettings> {
  const row = await db.maybe<Row>`
    select enabled, required, legal_name, address, country, vat_id, company_number, peppol_id, vat_rate, tax_forms, ein, phone, journal_accounts
    from invoicing_settings where account_id = ${accountId}`
  return row ? { ...row, journalAccounts: { ...journalAccountNames, ...row.journalAccounts } } : off
}

type Change = Omit<InvoicingChange, 'prefix' | 'nextNumber' | 'reason'>

/**
 * Changes the settings; a field left out stays as it is. What is approved is concerned by none of it.
 * Refuses: `vat_id_wrong`; `company_number_wrong`; `invoicing_incomplete` for invoices without what they must contain.
 */
export async function changeInvoicingSettings(tx: Transaction, by: Author, accountId: string, change: Change) {
  await tx.run`
    insert into invoicing_settings (account_id, updated_at) values (${accountId}, ${tx.now}) on conflict do nothing`
  await tx.one`select from invoicing_settings where account_id = ${accountId} for update`
  const before = await getInvoicingSettings(tx, accountId)
  const { journalAccounts, ...fields } = change
  const next: InvoicingSettings = {
    ...before,
    ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
    journalAccounts: namesWith(before.journalAccounts, journalAccounts),
  }
  next.companyNumber = toCompanyNumber(next.companyNumber, next.country)
  if (next.companyNumber !== null && !isCompanyNumberIn(next.companyNumber, next.country))
    throw wrongField('companyNumber', 'company_number_wrong')
  if (next.vatId !== null && !isVatIdIn(next.vatId, next.country)) throw wrongField('vatId', 'vat_id_wrong')
  if (next.enabled && missingIn(next)) throw refusal('invoicing_incomplete')
  // the order of an address's fields is the database's
  const { address, ...others } = next
  const changes = diffFields(before, isDeepStrictEqual(address, before.address) ? others : next)
  if (Object.keys(changes).length === 0) return
  await tx.run`
    update invoicing_settings set enabled = ${next.enabled}, required = ${next.required}, legal_name = ${next.legalName},
      address = ${JSON.stringify(next.address)}::jsonb, country = ${next.country}, vat_id = ${next.vatId},
      company_number = ${next.companyNumber}, peppol_id = ${next.peppolId},
      vat_rate = ${next.vatRate}::numeric, tax_forms = ${next.taxForms}, ein = ${next.ein}, phone = ${next.phone},
      journal_accounts = ${JSON.stringify(ownNames(next.journalAccounts))}::jsonb, updated_at = ${tx.now}
    where account_id = ${accountId}`
  await recordActivity(tx, by, accountId, 'invoicing.changed', { id: accountId, changes })
}

/** Whether something is missing that every invoice must contain. */
const missingIn = ({ legalName, address, country, vatRate }: InvoicingSettings) =>
  legalName === null || address === null || country === null || vatRate === null

type Names = Record<JournalAccount, string>

const accounts = Object.keys(journalAccountNames) as JournalAccount[]

/** Returns the names with those given; an empty one is the usual name. */
const namesWith = (before: Names, given: InvoicingChange['journalAccounts'] = {}): Names =>
  Object.fromEntries(
    accounts.map((account) => [
      account,
      given[account] === undefined ? before[account] : given[account] || journalAccountNames[account],
    ]),
  ) as Names

const ownNames = (names: Names) =>
  Object.fromEntries(
    Object.entries(names).filter(([account, name]) => name !== journalAccountNames[account as JournalAccount]),
  )
