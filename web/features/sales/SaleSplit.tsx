import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Account } from '#contract/accounts.ts'
import type { CommissionPreview, PreviewedSale } from '#contract/sales.ts'
import { MAX_AMOUNT } from '#contract/values.ts'
import { CallError } from '../../api.ts'
import { formatDate, formatMoney, formatRate } from '../../format.ts'
import { Message } from '../../ui/Message.tsx'
import { Panel, Skeleton } from '../../ui/Panel.tsx'
import { useDebounced } from '../../ui/Picker.tsx'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { saleWords } from '../../words/leads.ts'
import { commissionPreviewQuery } from './queries.ts'
import styles from './SaleSplit.module.css'
import { type Customer, Unearned } from './Unearned.tsx'

type Entered = {
  amount: number | string
  currency: string
  saleDate: string
  lines?: PreviewedSale['lines']
}
type Props = {
  account: Account
  lead: Customer
  /** The values entered so far. */
  sale: Entered
  /** The last day that is not in the future. */
  last: string
}

const AFTER_MS = 250

/**
 * Previews how the sale being entered is split, and when shares are payable, calculated by the server shortly after the
 * last keystroke.
 */
export function SaleSplit({ account, lead, sale, last }: Props) {
  const { leadId, partnerId } = lead
  const { amount, currency, saleDate, lines } = JSON.parse(useDebounced(JSON.stringify(sale), AFTER_MS)) as Entered
  const complete =
    typeof amount === 'number' && amount > 0 && amount <= MAX_AMOUNT && saleDate !== '' && saleDate <= last
  const of = leadId !== null ? { leadId } : partnerId !== null ? { partnerId } : null
  const { data, error, isPlaceholderData } = useQuery({
    ...commissionPreviewQuery(account.id, { ...of, amount: Number(amount), currency, saleDate, lines }),
    enabled: complete && of !== null,
    placeholderData: keepPreviousData,
  })
  return (
    <Panel heading={saleWords.split.heading} aside={<small>{saleWords.split.live}</small>}>
      <div className="inset">
        {!complete && <p className="muted">{saleWords.split.hint}</p>}
        {complete && !of && <p className="muted">{saleWords.split.noCustomer}</p>}
        {complete && of && error && !data && (
          <Message kind="error">
            {saleWords.split.failed} {error instanceof CallError && error.message}
          </Message>
        )}
        {complete && of && !data && !error && <Skeleton rows={3} height={40} />}
        {complete && of && data && (
          <div data-dimmed={isPlaceholderData || undefined}>
            <Split preview={data} lead={lead} sale={{ amount, currency }} delay={account.payoutDelay} />
          </div>
        )}
      </div>
    </Panel>
  )
}

type Part = { key: string; name: string; note?: string; rate: string; amount: number; color: string }

/** Colors of the shares in turn; the account's own part is always green. */
const colors = ['share', 'sales', 'leads', 'revenue'].map((name) => `var(--series-${name})`)

function partsOf({ entries, profit, accountAmount, currency }: CommissionPreview): Part[] {
  const kept = profit ?? 0
  return [
    ...entries.map(({ partnerId, displayName, layer, rate, flat, amount }, at) => ({
      key: `${layer} ${partnerId}`,
      name: displayName,
      note: saleWords.split.layer({ number: layer + 1 }),
      rate: rate === null ? (flat === null ? basicWords.absent : formatMoney(flat, currency)) : formatRate(rate),
      amount,
      color: colors[at % colors.length] as string,
    })),
    {
      key: 'kept',
      name: saleWords.split.keep,
      rate: accountAmount ? formatRate(Math.round((kept / accountAmount) * 10_000) / 100) : basicWords.absent,
      amount: kept,
      color: 'var(--series-profit)',
    },
  ]
}

type SplitProps = {
  preview: CommissionPreview
  lead: Customer
  sale: { amount: number; currency: string }
  delay: number
}

function Split({ preview, lead, sale, delay }: SplitProps) {
  const { currency, accountAmount, entries, dueOn } = preview
  if (accountAmount === null) {
    return <Message kind="warning">{saleWords.split.noRate({ currency: sale.currency.toUpperCase() })}</Message>
  }
  const parts = partsOf(preview)
  const text = parts.map(({ name, amount }) => `${name} ${formatMoney(amount, currency)}`).join(', ')
  return (
    <>
      <p role="status" className="visually-hidden">
        {saleWords.split.bar({ parts: text })}
      </p>
      <div aria-hidden="true" className={styles.bar}>
        {parts
          .filter(({ amount }) => amount > 0)
          .map(({ key, amount, color }) => (
            <span key={key} style={{ flexGrow: amount / accountAmount, background: color }} />
          ))}
      </div>
      <ul aria-label={saleWords.split.heading} className={styles.parts}>
        {parts.map(({ key, name, note, rate, amount, color }) => (
          <li key={key} className="row">
            <i style={{ background: color }} />
            <span className="rest wrap">
              {name} {note && <small className="muted">{note}</small>}
            </span>
            <span className="muted">{rate}</span>
            <strong>{formatMoney(amount, currency)}</strong>
          </li>
        ))}
        <li className="row">
          <strong className="rest">
            {fieldWords.sale}{' '}
            {sale.currency !== currency && (
              <small className="muted">{formatMoney(sale.amount, sale.currency, currency)}</small>
            )}
          </strong>
          <strong>{formatMoney(accountAmount, currency)}</strong>
        </li>
      </ul>
      {entries.length === 0 ? (
        <Unearned of={preview.unearned} lead={lead} />
      ) : (
        <Message kind="info">
          <strong>{saleWords.split.payableOn({ date: formatDate(dueOn) })}</strong>
          <p>{delay === 0 ? saleWords.split.daysNone : saleWords.split.days({ count: delay })}</p>
        </Message>
      )}
    </>
  )
}
