import type { XmlTree } from '../method.ts'
import { bankResult, isOurPayment, NOTHING, type ReportRow } from './bank-result.ts'
import { findNameCheck, formatReason } from './reasons.ts'
import { childrenNamed, elementAt, idIn, readCurrency, readDecimal, textAt } from './xml-tree.ts'

/** Reads a report on orders: only rejections count, each by the most exact status that the bank gives. */
export function readStatusReport(report: XmlTree): ReportRow[] {
  const group = elementAt(report, 'OrgnlGrpInfAndSts')
  const messageId = textAt(group, 'OrgnlMsgId')
  const orders = childrenNamed(report, 'OrgnlPmtInfAndSts')
  const whole = (order: XmlTree | undefined, status: string | null, reason: string | null): ReportRow => ({
    ...NOTHING,
    ...outcomeOf(status, reason),
    bank: bankResult({ messageId: idIn(order, 'OrgnlPmtInfId') ?? messageId, whole: true }, null),
  })
  const groupReason = codeOf(group)
  const found = orders.flatMap((order) => {
    const status = textAt(order, 'PmtInfSts') ?? textAt(group, 'GrpSts')
    const reason = codeOf(order) ?? groupReason
    const transactions = childrenNamed(order, 'TxInfAndSts').map((transaction): ReportRow => {
      const own = codeOf(transaction)
      const original = elementAt(transaction, 'OrgnlTxRef')
      const amount = elementAt(original, 'Amt', 'InstdAmt')
      const reference = textAt(transaction, 'OrgnlEndToEndId')
      const instruction = textAt(transaction, 'OrgnlInstrId')
      return {
        ...NOTHING,
        ...outcomeOf(textAt(transaction, 'TxSts') ?? status, own ?? reason),
        reference: !isOurPayment(reference) && isOurPayment(instruction) ? instruction : reference,
        target: readDecimal(amount),
        source: readDecimal(amount),
        bank: bankResult(
          {
            messageId,
            payer: textAt(original, 'DbtrAcct', 'Id', 'IBAN'),
            payee: textAt(original, 'CdtrAcct', 'Id', 'IBAN'),
            currency: readCurrency(amount),
            nameCheck: findNameCheck(textAt(transaction, 'TxSts')),
          },
          own,
        ),
      }
    })
    // a bank may name only some of the transfers that it rejected together
    const isWhole = transactions.length === 0 || status === 'RJCT'
    return isWhole ? [...transactions, whole(order, status, reason)] : transactions
  })
  return orders.length > 0 ? found : [whole(undefined, textAt(group, 'GrpSts'), groupReason)]
}

const outcomeOf = (status: string | null, reason: string | null) => ({
  outcome: status === 'RJCT' ? ('over' as const) : ('open' as const),
  reason: status === 'RJCT' ? formatReason(reason) : (status ?? ''),
})

const codeOf = (element: XmlTree | undefined) => textAt(element, 'StsRsnInf', 'Rsn', 'Cd')
