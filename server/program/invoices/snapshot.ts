import type { InvoiceDocument } from '#contract/invoices.ts'
import type { Language } from '#contract/language.ts'
import type { Catalogues } from '#contract/words.ts'
import type { Party, Seller } from '../invoicing/details.ts'

/** The content of a document that has no column of its own; it never changes. */
export type Snapshot = Pick<InvoiceDocument, 'periodStart' | 'periodEnd' | 'lines' | 'words'> & {
  /**
   * How the document is written. Those of the releases before it was recorded have none, and no electronic form; those of
   * form 1 lack words of most sellers' countries, those of form 2 the words of small businesses there.
   */
  form?: 1 | 2 | typeof NEWEST_FORM
  /** That of the account when it was issued; English without. */
  language?: Language
  /** The words that it was issued in, by module, if the install had some of its own. */
  wording?: Catalogues
  account: Omit<Party, keyof PartyNumbers> & Partial<PartyNumbers>
  partner: (Omit<Seller, keyof PartyNumbers> & Partial<PartyNumbers>) | null
  payoutNumber: string
}

type PartyNumbers = Pick<Seller, 'companyNumber' | 'peppolId' | 'taxNumber'>

export const NEWEST_FORM = 3

/** Whether a document is of this form or a newer one. */
export const isSince = (since: 2 | 3, form: Snapshot['form']) => form !== undefined && form >= since
