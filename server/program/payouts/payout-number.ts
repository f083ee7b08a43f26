import type { Payout } from '#contract/payouts.ts'

/** Returns the payout's name, 'PO-12', as used in statements, mails and transfers. */
export const payoutName = ({ statementNumber }: Pick<Payout, 'statementNumber'>) => `PO-${statementNumber}`

/** Parses the number from a name written by the product. Carriers accept ten characters: seven digits. */
export const numberNamed = (name: string | null): number | null => numberBy(/^PO-(\d{1,7})$/, name)

/** Parses the number in any letter case: from a file, or from a reference typed by a person. */
export const numberAsWritten = (name: string | null): number | null => numberBy(/^PO-(\d{1,7})$/i, name)

/** Parses the number in a payout's reference in any of its files: 'PO-12', 'PO-12-3' or 'PO-12-K7QM'. */
export const numberFiled = (reference: string | null): number | null =>
  numberBy(/^PO-(\d{1,7})(?:-[A-Z\d]{1,4})?$/i, reference)

function numberBy(form: RegExp, name: string | null): number | null {
  const digits = form.exec(name ?? '')?.[1]
  return digits ? Number(digits) : null
}
