import type { ReactNode } from 'react'
import { exchange } from '#contract/money.ts'
import {
  changeSale,
  enterExchangeRate,
  NewExchangeRate,
  NewRefund,
  refundSale,
  releaseSale,
  type Sale,
  SaleChange,
  voidSale,
} from '#contract/sales.ts'
import { formatDate, formatMoney } from '../../format.ts'
import type { ActProps } from '../../ui/act.ts'
import { useContractForm } from '../../ui/contract-form.tsx'
import { useDialogCall } from '../../ui/dialog-call.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { DecimalField, MoneyField, TextAreaField } from '../../ui/fields.tsx'
import { reasonedAct } from '../../ui/reasoned-act.tsx'
import { saleWords } from '../../words/leads.ts'
import { commissionOf, lossesOf } from './layers.ts'
import { MatchDialog } from './MatchDialog.tsx'
import { leftToRefund } from './possible.ts'

export type SaleAction = 'refund' | 'void' | 'release' | 'rate' | 'match' | 'describe'

type DialogProps = ActProps<Sale>

const shown = (amount: number, { currency, accountCurrency }: Sale) => formatMoney(amount, currency, accountCurrency)

function RefundDialog({ of: sale, onClose }: DialogProps) {
  const left = leftToRefund(sale) ?? 0
  const form = useContractForm(NewRefund, {
    initial: { amount: left as number | string, reason: '' },
    check: ({ amount }) => ({
      amount:
        typeof amount === 'number' && amount > left
          ? saleWords.refund.tooMuch({ amount: shown(left, sale) })
          : undefined,
    }),
  })
  const save = useDialogCall(refundSale, {
    done: (_, { body }) => saleWords.refund.done({ amount: shown(body.amount ?? left, sale) }),
    onClose,
  })
  const { amount } = form.values
  const given = typeof amount === 'number' && amount > 0 && amount <= left ? amount : null
  return (
    <FormDialog
      heading={saleWords.refund.heading}
      why={saleWords.refund.explain}
      submit={saleWords.refund.submit}
      form={form}
      save={save}
      onSubmit={(body) => save.mutate({ params: { id: sale.id }, body })}
      onClose={onClose}
    >
      <div className="stack gap-1">
        <MoneyField
          {...form.field('amount', saleWords.refund.amount)}
          currency={sale.currency}
          help={saleWords.refund.left({ amount: shown(left, sale) })}
        />
        <div role="status" className="muted">
          {given !== null && <Losses sale={sale} amount={given} />}
        </div>
      </div>
      <TextAreaField {...form.field('reason')} rows={2} />
    </FormDialog>
  )
}

/** Each partner's loss from a refund. */
function Losses({ sale, amount }: { sale: Sale; amount: number }) {
  const losses = lossesOf(sale, amount)
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
  danger: true,
  done: saleWords.void.done,
  why:
    sale.amount === null
      ? saleWords.void.explainPlain
      : saleWords.void.explain({
          amount: shown(sale.amount, sale),
          commission: formatMoney(commissionOf(sale.commissions), sale.accountCurrency),
        }),
}))

const ReleaseDialog = reasonedAct(releaseSale, ({ commissions, accountCurrency }: Sale) => {
  const held = commissionOf(commissions.filter(({ status }) => status === 'on-hold'))
  return {
    heading: saleWords.release.heading,
    submit: saleWords.release.submit,
    done: saleWords.release.done,
    why: saleWords.release.explain({ commission: formatMoney(held, accountCurrency) }),
  }
})

function DescribeDialog({ of: sale, onClose }: DialogProps) {
  const form = useContractForm(SaleChange, { initial: { description: sale.description ?? '' } })
  const save = useDialogCall(changeSale, { done: saleWords.describe.done, onClose })
  return (
    <FormDialog
      heading={saleWords.describe.heading}
      submit={saleWords.describe.submit}
      form={form}
      save={save}
      onSubmit={(body) => save.mutate({ params: { id: sale.id }, body })}
      onClose={onClose}
    >
      <TextAreaField {...form.field('description')} rows={2} />
    </FormDialog>
  )
}

function RateDialog({ of: sale, onClose }: DialogProps) {
  const { currency, accountCurrency, saleDate } = sale
  const form = useContractForm(NewExchangeRate, {
    initial: { currency, date: saleDate, rate: '' as number | string },
  })
  const save = useDialogCall(enterExchangeRate, {
    done: saleWords.rate.done,
    onClose,
  })
  const { rate } = form.values
  const makes =
    typeof rate === 'number' && rate > 0 ? exchange(sale.amount ?? 0, currency, accountCurrency, rate) : null
  return (
    <FormDialog
      heading={saleWords.rate.heading}
      submit={saleWords.rate.submit}
      form={form}
      save={save}
      onSubmit={(body) => save.mutate({ params: { id: sale.accountId }, body })}
      onClose={onClose}
    >
      <div className="stack gap-1">
        <DecimalField
          {...form.field('rate', saleWords.rate.label)}
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
    </FormDialog>
  )
}

const dialogs: Record<SaleAction, (props: DialogProps) => ReactNode> = {
  refund: RefundDialog,
  void: VoidDialog,
  release: ReleaseDialog,
  rate: RateDialog,
  match: MatchDialog,
  describe: DescribeDialog,
}

/** The dialog of an action on a sale. */
export function SaleDialog({ action, ...props }: DialogProps & { action: SaleAction }) {
  const Of = dialogs[action]
  return <Of {...props} />
}
