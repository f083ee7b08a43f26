/** What stands on the recipient's statement: Wise takes ten characters. */
export const referenceOf = ({ statementNumber }: { statementNumber: number }) => `PO-${statementNumber}`.slice(0, 10)

/** The payout's number that such a reference names. */
export const numberIn = (reference: string | null) => {
  const [, number] = /^PO-(\d{1,7})$/i.exec(reference ?? '') ?? []
  return number ? Number(number) : null
}
