import { convertAmount } from '#contract/money.ts'
import {
  changeSale,
  enterExchangeRate,
  NewExchangeRate,
  NewRefund,
  refundSale,
  releaseSale,
  restoreSale,
  type Sale,
  SaleChange,
  voidSale,
} from '#contract/sales.ts'
import { formatDate, formatMoney } from '../../format.ts'
import { DecimalField, MoneyField, TextAreaField } from '../../ui/fields.tsx'
import { defineFormAction, reasonedAct } from '../../ui/form-act.tsx'
import { saleWords } from '../../words/leads.ts'
import { AttributeDialog } from './AttributeDialog.tsx'
import { computeLosses, sumCommission } from './layers.ts'
import { MatchDialog } from './MatchDialog.tsx'
import { leftToRefund } from './sale-actions.ts'

const shown = (amount: number, { currency, accountCurrency }: Sale) => formatMoney(amount, currency, accountCurrency)

const RefundDialog = defineFormAction(refundSale, NewRefund, (sale: Sale) => {
  const left = leftToRefund(sale) ?? 0
  const isPossible = (amount: number | string) => typeof amount === 'number' && amount > 0 && amount <= left
  return {
    heading: saleWords.refund.heading,
    why: saleWords.refund.explain,
    submit: saleWords.refund.submit,
    done: (_, { body }) => saleWords.refund.done({ amount: shown(body.amount ?? left, sale) }),
    initial: { amount: left as number | string, reason: '' },
    check: ({ amount }) => ({
      amount:
        typeof amount === 'number' && amount > left
          ? saleWords.refund.tooMuch({ amount: shown(left, sale) })
          : undefined,
    }),
    fields: ({ field, values: { amount } }) => (
      <>
        <div className="stack gap-1">
          <MoneyField
            {...field('amount', saleWords.refund.amount)}
            currency={sale.currency}
            help={saleWords.refund.left({ amount: shown(left, sale) })}
          />
          <div role="status" className="muted">
            {isPossible(amount) && <Losses sale={sale} amount={Number(amount)} />}
          </div>
        </div>
        <TextAreaField {...field('reason')} rows={2} />
      </>
    ),
  }
})

/** Each partner's loss from a refund. */
function Losses({ sale, amount }: { sale: Sale; amount: number }) {
  const losses = computeLosses(sale, amount)
  if (losses.length === 0) return saleWords.refund.nobody
  return (
    <ul>
      {losses.map((loss) => (
        <li key={loss.partnerId}>
          {saleWords.refund.loses({
            partner: loss.partnerName,
            amount: formatMoney(loss.amount, sale.accountCurrency),
          })}
        </li>
      ))}
    </ul>
  )
}

const VoidDialog = reasonedAct(voidSale, (sale: Sale) => ({
  heading: saleWords.void.heading,
  submit: saleWords.void.submit,
  done: saleWords.void.done,
  why:
    sale.amount === null
      ? saleWords.void.explainPlain
      : saleWords.void.explain({
          amount: shown(sale.amount, sale),
          commission: formatMoney(sumCommission(sale.commissions), sale.accountCurrency),
        }),
}))

const RestoreDialog = reasonedAct(restoreSale, (_: Sale) => ({
  heading: saleWords.restore.heading,
  submit: saleWords.restore.submit,
  done: saleWords.restore.done,
  why: saleWords.restore.explain,
}))

const ReleaseDialog = reasonedAct(releaseSale, ({ commissions, accountCurrency }: Sale) => {
  const held = sumCommission(commissions.filter(({ status }) => status === 'on-hold'))
  return {
    heading: saleWords.release.heading,
    submit: saleWords.release.submit,
    done: saleWords.release.done,
    why: saleWords.release.explain({ commission: formatMoney(held, accountCurrency) }),
  }
})

const DescribeDialog = defineFormAction(changeSale, SaleChange, ({ description }: Sale) => ({
  heading: saleWords.describe.heading,
  submit: saleWords.describe.submit,
  done: saleWords.describe.done,
  initial: { description: description ?? '' },
  fields: ({ field }) => <TextAreaField {...field('description')} rows={2} />,
}))

const RateDialog = defineFormAction(enterExchangeRate, NewExchangeRate, (sale: Sale) => {
  const { accountId, amount, currency, accountCurrency, saleDate } = sale
  return {
    heading: saleWords.rate.heading,
    submit: saleWords.rate.submit,
    done: saleWords.rate.done,
    initial: { currency, date: saleDate, rate: '' as number | string },
    send: (body) => ({ params: { id: accountId }, body }),
    fields({ field, values: { rate } }) {
      const makes =
        typeof rate === 'number' && rate > 0 ? convertAmount(amount ?? 0, currency, accountCurrency, rate) : null
      return (
        <div className="stack gap-1">
          <DecimalField
            {...field('rate', saleWords.rate.label)}
            help={saleWords.rate.help({
              from: currency.toUpperCase(),
              to: accountCurrency.toUpperCase(),
              date: formatDate(saleDate),
            })}
          />
          <p role="status" className="muted">
            {makes !== null &&
              Number.isSafeInteger(makes) &&
              saleWords.rate.makes({ amount: formatMoney(makes, accountCurrency) })}
          </p>
        </div>
      )
    },
  }
})

/** Their dialogs; `sale-acts.ts` declares how they are offered. */
export const saleDialogs = {
  attribute: AttributeDialog,
  refund: RefundDialog,
  void: VoidDialog,
  restore: RestoreDialog,
  release: ReleaseDialog,
  rate: RateDialog,
  match: MatchDialog,
  describe: DescribeDialog,
}
