import type { Payout } from '#contract/payouts.ts'

/** 'PO-12', as statements, mails and carriers call it. */
export const payoutName = ({ statementNumber }: Pick<Payout, 'statementNumber'>) => `PO-${statementNumber}`

/** The number in a name as the product writes it. Carriers take ten characters: seven digits. */
export const numberNamed = (name: string | null): number | null => numberBy(/^PO-(\d{1,7})$/, name)

/** The number in any case: of a file, or of a reference that a person typed. */
export const numberAsWritten = (name: string | null): number | null => numberBy(/^PO-(\d{1,7})$/i, name)

function numberBy(form: RegExp, name: string | null): number | null {
  const digits = form.exec(name ?? '')?.[1]
  return digits ? Number(digits) : null
}
