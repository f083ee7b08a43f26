import { isDeepStrictEqual } from 'node:util'
import type { InvoiceDetails, NewInvoiceDetails, PartyAddress, Treatment } from '#contract/invoices.ts'
import type { Language } from '#contract/language.ts'
import type { Author } from '../../platform/author.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { rateInWords } from '../../platform/format-values.ts'
import { wrongField } from '../../platform/refusal.ts'
import { wordFor } from '../access/access.ts'
import { identifyParty, isCompanyNumberIn, toCompanyNumber } from './party-ids.ts'
import { getInvoicingSettings, type InvoicingSettings } from './settings.ts'
import { agreementPhrases } from './text.ts'
import { acceptsTaxNumber, findTreatment, toVatRate, treatmentWords } from './treatment.ts'
import { isVatIdIn, listTerritory } from './vat-ids.ts'

/** A party to an invoice as its documents contain it. */
export type Party = {
  legalName: string
  address: PartyAddress
  country: string
  vatId: string | null
  companyNumber: string | null
  peppolId: string | null
}

/** The partner, in whose name a document is issued. */
export type Seller = Party & { taxNumber: string | null }

/** A version of a partner's details; the name and the address are null once the person is erased. */
type DetailsRow = {
  partnerId: string
  version: number
  legalName: string | null
  address: PartyAddress | null
  country: string
  vatId: string | null
  taxNumber: string | null
  companyNumber: string | null
  peppolId: string | null
  smallBusiness: boolean
  agreedWords: string
  agreedAt: string
}

const columns = sql`partner_id, version, legal_name, address, country, vat_id, tax_number, company_number, peppol_id,
  small_business, agreed_words, agreed_at`

/** Returns the newest details of these partners, by partner. */
export async function newestDetails(
  db: Queryable,
  accountId: string,
  partnerIds: string[],
): Promise<Map<string, DetailsRow>> {
  const rows = await db.many<DetailsRow>`
    select distinct on (partner_id) ${columns} from invoice_details
    where account_id = ${accountId} and partner_id = any(${partnerIds}::uuid[]) order by partner_id, version desc`
  return new Map(rows.map((row) => [row.partnerId, row]))
}

const erased: PartyAddress = { addressLine: '', zipCode: null, city: '', state: null }

/** Returns these partners as parties to invoices, each by a version of their details. */
export async function getParties(
  db: Queryable,
  accountId: string,
  of: { partnerId: string; version: number }[],
): Promise<(partnerId: string, version: number) => Seller> {
  const rows = await db.many<DetailsRow>`
    select ${columns} from invoice_details
    where account_id = ${accountId} and (partner_id, version) in (
      select * from unnest(${of.map(({ partnerId }) => partnerId)}::uuid[], ${of.map(({ version }) => version)}::integer[]))`
  const parties = new Map<string, Seller>(
    rows.map(({ partnerId, version, legalName, address, country, vatId, taxNumber, companyNumber, peppolId }) => {
      const named = { legalName: legalName ?? 'Erased partner', address: address ?? erased, country }
      return [`${partnerId} ${version}`, identifyParty({ ...named, vatId, taxNumber, companyNumber, peppolId })]
    }),
  )
  return (partnerId, version) => parties.get(`${partnerId} ${version}`)!
}

/** Whether a partner has no details, in SQL. */
export const lacksDetails = (accountId: string, partnerId: Sql): Sql => sql`not exists (
  select from invoice_details v where v.account_id = ${accountId} and v.partner_id = ${partnerId})`

/** Whether an invoice to this partner would contain VAT: `findTreatment` in SQL, for the standard treatment alone. */
export const isTaxed = ({ enabled, country, vatRate }: InvoicingSettings, accountId: string, partnerId: Sql): Sql =>
  enabled && vatRate && country
    ? sql`coalesce((
      select v.country = any(${listTerritory(country)}::text[]) and (v.vat_id is not null or (${acceptsTaxNumber(country)} and v.tax_number is not null)) and not v.small_business
      from invoice_details v
      where v.account_id = ${accountId} and v.partner_id = ${partnerId} order by v.version desc limit 1), false)`
    : sql`false`

/** Facts of a payout’s invoice that its approval fixes. */
export type InvoiceTerms = {
  treatment: Treatment
  rate: number
  version: number
  /** The account as the payer; one that a release before fixed has no numbers but the VAT ID. */
  account: Omit<Party, 'companyNumber' | 'peppolId'> & Partial<Party>
}

/** Returns what an approval fixes now for a partner with these details; null if their payouts get no invoice. */
export function invoiceTerms(settings: InvoicingSettings, details: DetailsRow | undefined): InvoiceTerms | null {
  const { enabled, legalName, address, country, vatId, companyNumber, peppolId } = settings
  if (!enabled || !details || legalName === null || address === null || country === null) return null
  const treatment = findTreatment(settings, details)
  if (treatment === null) return null
  const account = { legalName, address, country, vatId, companyNumber, peppolId }
  return { treatment, rate: toVatRate(treatment, settings), version: details.version, account }
}

/** `accountName` is the account’s display name, `language` that of a partner who reads. */
type OfPartner = { accountId: string; partnerId: string; accountName: string; language?: Language | undefined }

/** Returns a partner's details for invoices, with the treatment that follows from them. */
export async function getInvoiceDetails(db: Queryable, of: OfPartner): Promise<InvoiceDetails> {
  const { accountId, partnerId } = of
  const settings = await getInvoicingSettings(db, accountId)
  const { enabled, required, country: accountCountry } = settings
  const accountName = settings.legalName ?? of.accountName
  const [agreement, english] = agreementFor(of, accountName)
  const details = (await newestDetails(db, accountId, [partnerId])).get(partnerId)
  const treatment = details ? findTreatment(settings, details) : null
  return {
    enabled,
    required,
    accountName,
    accountCountry,
    agreement,
    // in another language its words follow the English ones
    agreed: details?.agreedWords.split('\n', 1)[0] === english,
    legalName: details?.legalName ?? null,
    address: details?.address ?? null,
    country: details?.country ?? null,
    vatId: details?.vatId ?? null,
    taxNumber: details?.taxNumber ?? null,
    companyNumber: details?.companyNumber ?? null,
    peppolId: details?.peppolId ?? null,
    smallBusiness: details?.smallBusiness ?? null,
    version: details?.version ?? null,
    agreedAt: details?.agreedAt ?? null,
    treatment,
    words: details ? wordFor(of, () => wordsOf(treatment, settings, details)) : null,
  }
}

/** Returns the words that a partner agrees to, as they read them and in English. */
function agreementFor(of: OfPartner, account: string) {
  const say = () => agreementPhrases.agreement({ account })
  return [wordFor(of, say), wordFor({}, say)] as const
}

const wordsOf = (treatment: Treatment | null, settings: InvoicingSettings, details: DetailsRow) =>
  treatment === null
    ? missingWords(settings, details)
    : (treatmentWords(treatment, settings) ?? agreementPhrases.vat({ rate: rateInWords(settings.vatRate ?? 0) }))

/** Returns what is missing for an invoice to be issued. */
const missingWords = (account: InvoicingSettings, { country }: DetailsRow) =>
  account.country === country && acceptsTaxNumber(country) ? agreementPhrases.noNumber : agreementPhrases.noVatId

/**
 * Saves a version of a partner's details with the words that they agreed to; the same details and words again change
 * nothing: an account with another name has another agreement.
 * Payouts that are approved keep the version of their approval. Refuses: `vat_id_wrong`; `company_number_wrong`.
 */
export async function saveInvoiceDetails(
  tx: Transaction,
  by: Author,
  of: OfPartner,
  { agreed: _, ...entered }: NewInvoiceDetails,
): Promise<InvoiceDetails> {
  const { accountId, partnerId } = of
  const { legalName, address, country, vatId, taxNumber, peppolId, smallBusiness } = entered
  const companyNumber = toCompanyNumber(entered.companyNumber, country)
  if (companyNumber !== null && !isCompanyNumberIn(companyNumber, country))
    throw wrongField('companyNumber', 'company_number_wrong')
  if (vatId !== null && !isVatIdIn(vatId, country)) throw wrongField('vatId', 'vat_id_wrong')
  await tx.one`select from partners where account_id = ${accountId} and id = ${partnerId} for no key update`
  const before = await getInvoiceDetails(tx, of)
  const given = { ...entered, companyNumber }
  const isSame = Object.entries(given).every(([field, value]) =>
    isDeepStrictEqual(value, before[field as keyof typeof given]),
  )
  if (isSame && before.agreed) return before
  const version = (before.version ?? 0) + 1
  const agreed = [...new Set(agreementFor(of, before.accountName).toReversed())].join('\n')
  await tx.run`
    insert into invoice_details (account_id, partner_id, version, legal_name, address, country, vat_id, tax_number,
      company_number, peppol_id, small_business, agreed_words, user_id, agreed_at)
    values (${accountId}, ${partnerId}, ${version}, ${legalName}, ${JSON.stringify(address)}::jsonb, ${country}, ${vatId},
      ${taxNumber}, ${companyNumber}, ${peppolId}, ${smallBusiness}, ${agreed}, ${by.type === 'user' ? by.id : null}, ${tx.now})`
  await recordActivity(tx, by, accountId, 'partner.invoice-details-updated', {
    id: partnerId,
    changes: {
      version: { old: before.version, new: version },
      ...(country !== before.country && { country: { old: before.country, new: country } }),
    },
  })
  return getInvoiceDetails(tx, of)
}
