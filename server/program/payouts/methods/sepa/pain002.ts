import type { XmlTree } from '../method.ts'
import { bankResult, type Found, isOurPayment, NOTHING } from './bank-result.ts'
import { nameCheckOf, reasonOf } from './reasons.ts'
import { all, at, currencyOf, decimal, idIn, text } from './xml-tree.ts'

/** Reads a report on orders: only rejections count, each by the most exact status that the bank gives. */
export function readStatusReport(report: XmlTree): Found[] {
  const group = at(report, 'OrgnlGrpInfAndSts')
  const messageId = text(group, 'OrgnlMsgId')
  const orders = all(report, 'OrgnlPmtInfAndSts')
  const whole = (order: XmlTree | undefined, status: string | null, reason: string | null): Found => ({
    ...NOTHING,
    ...outcomeOf(status, reason),
    bank: bankResult({ messageId: idIn(order, 'OrgnlPmtInfId') ?? messageId, whole: true }, null),
  })
  const groupReason = codeOf(group)
  const found = orders.flatMap((order) => {
    const status = text(order, 'PmtInfSts') ?? text(group, 'GrpSts')
    const reason = codeOf(order) ?? groupReason
    const transactions = all(order, 'TxInfAndSts').map((transaction): Found => {
      const own = codeOf(transaction)
      const original = at(transaction, 'OrgnlTxRef')
      const amount = at(original, 'Amt', 'InstdAmt')
      const reference = text(transaction, 'OrgnlEndToEndId')
      const instruction = text(transaction, 'OrgnlInstrId')
      return {
        ...NOTHING,
        ...outcomeOf(text(transaction, 'TxSts') ?? status, own ?? reason),
        reference: !isOurPayment(reference) && isOurPayment(instruction) ? instruction : reference,
        target: decimal(amount),
        source: decimal(amount),
        bank: bankResult(
          {
            messageId,
            payer: text(original, 'DbtrAcct', 'Id', 'IBAN'),
            payee: text(original, 'CdtrAcct', 'Id', 'IBAN'),
            currency: currencyOf(amount),
            nameCheck: nameCheckOf(text(transaction, 'TxSts')),
          },
          own,
        ),
      }
    })
    // a bank may name only some of the transfers that it rejected together
    const isWhole = transactions.length === 0 || status === 'RJCT'
    return isWhole ? [...transactions, whole(order, status, reason)] : transactions
  })
  return orders.length > 0 ? found : [whole(undefined, text(group, 'GrpSts'), groupReason)]
}

const outcomeOf = (status: string | null, reason: string | null) => ({
  outcome: status === 'RJCT' ? ('over' as const) : ('open' as const),
  said: status === 'RJCT' ? reasonOf(reason) : (status ?? ''),
})

const codeOf = (element: XmlTree | undefined) => text(element, 'StsRsnInf', 'Rsn', 'Cd')
