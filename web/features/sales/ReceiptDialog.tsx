import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Entry } from '#contract/commissions.ts'
import { getReceipt, type Receipt } from '#contract/sales.ts'
import { read } from '../../calls.ts'
import { formatDate, formatDay, formatMoment, formatMoney, formatRate } from '../../format.ts'
import { useAccount } from '../../shell/current.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { Failed, Skeleton } from '../../ui/Panel.tsx'
import { StatusBadge, statusLabel } from '../../ui/StatusBadge.tsx'
import { t } from '../../words.ts'
import { Rules } from './MatchDialog.tsx'
import styles from './Sales.module.css'

/** Opens the receipt of an entry; `dialog` stands in the screen. */
export function useReceipt(readOnly: boolean) {
  const [entryId, open] = useState<string | null>(null)
  return {
    open,
    dialog: entryId && <ReceiptDialog entryId={entryId} readOnly={readOnly} onClose={() => open(null)} />,
  }
}

export const receipt = (entryId: string) => read(getReceipt, { params: { id: entryId } })

type Props = { entryId: string; readOnly: boolean; onClose: () => void }

/** Everything that explains one amount: its sale, the rule, the rate, what holds it, and the payout that paid it. */
function ReceiptDialog({ entryId, readOnly, onClose }: Props) {
  const { data, error, refetch, isFetching } = useQuery(receipt(entryId))
  return (
    <Dialog wide heading={t('sales.receipt.heading')} onClose={onClose}>
      {!data && error && <Failed onRetry={refetch} busy={isFetching} why={error.message} />}
      {!data && !error && <Skeleton rows={8} />}
      {data && <Parts receipt={data} readOnly={readOnly} />}
    </Dialog>
  )
}

function Parts({ receipt, readOnly }: { receipt: Receipt; readOnly: boolean }) {
  const { timeZone } = useAccount()
  const { entry, match } = receipt
  const parts: { heading: string; facts: Fact[]; below?: ReactNode }[] = [
    { heading: t('sales.receipt.sale'), facts: saleOf(receipt, timeZone) },
    ...(match && !readOnly
      ? [{ heading: t('sales.receipt.rule'), facts: [], below: <Rules match={match} /> }]
      : match
        ? [{ heading: t('sales.receipt.rule'), facts: [], below: <p className={styles.rules}>{match.why}.</p> }]
        : []),
    { heading: entry.partnerName, facts: amountOf(receipt, timeZone) },
    { heading: t('sales.receipt.standing'), facts: stateOf(receipt, timeZone, readOnly) },
  ]
  return (
    <div className={styles.receipt}>
      {parts
        .filter(({ facts, below }) => facts.length > 0 || below)
        .map(({ heading, facts, below }) => (
          <section key={heading} aria-label={heading}>
            <h3>{heading}</h3>
            {facts.length > 0 && <Facts beside label={heading} facts={facts} />}
            {below}
          </section>
        ))}
    </div>
  )
}

function saleOf({ sale, lead, click }: Receipt, timeZone: string): Fact[] {
  if (!sale) return []
  const { amount, currency, accountCurrency, saleDate } = sale
  const date = formatDate(saleDate)
  const facts: (Fact | null)[] = [
    {
      label: t('sales.receipt.sale'),
      value:
        amount === null
          ? date
          : t('sales.receipt.saleOf', { amount: formatMoney(amount, currency, accountCurrency), date }),
    },
    lead && { label: t('sales.receipt.lead'), value: lead.displayName },
    click && {
      label: t('sales.receipt.click'),
      value: click.linkName
        ? t('sales.receipt.clickOn', { link: click.linkName, at: formatMoment(click.at, timeZone) })
        : formatMoment(click.at, timeZone),
    },
  ]
  return facts.filter((fact) => fact !== null)
}

/** The rate and what it came to, line by line down to what is left. */
function amountOf({ entry, rate, corrections }: Receipt, timeZone: string): Fact[] {
  const money = (amount: number) => formatMoney(amount, entry.currency)
  const named = ({ kind, createdAt }: Entry) =>
    kind === 'earned' || kind === 'adjustment' || kind === 'bonus'
      ? t(`sales.receipt.${kind}`)
      : t(`sales.receipt.${kind}`, { date: formatDay(createdAt, timeZone) })
  const left = corrections.reduce((sum, { amount }) => sum + amount, entry.amount)
  const facts: (Fact | null)[] = [
    rate && {
      label: t('sales.receipt.rate'),
      value: [
        t('sales.receipt.rateOf', { rate: formatRate(rate.percent), layer: rate.layer + 1 }),
        rate.source && t(`sales.receipt.sources.${rate.source}`),
      ]
        .filter(Boolean)
        .join(', '),
    },
    entry.baseAmount === null ? null : { label: t('sales.receipt.base'), value: money(entry.baseAmount) },
    { label: named(entry), value: money(entry.amount), strong: true },
    entry.reason ? { label: t('sales.receipt.reason'), value: entry.reason } : null,
    ...corrections.map((one, at) => ({
      label: `${named(one)}${corrections.slice(0, at).some((before) => named(before) === named(one)) ? ` (${at + 1})` : ''}`,
      value: money(one.amount),
    })),
    corrections.length > 0 ? { label: t('sales.receipt.left'), value: money(left), strong: true, sum: true } : null,
  ]
  return facts.filter((fact) => fact !== null)
}

function stateOf({ entry, hold, payout }: Receipt, timeZone: string, readOnly: boolean): Fact[] {
  const facts: (Fact | null)[] = [
    { label: t('sales.receipt.state'), value: <StatusBadge of="commission" status={entry.status} /> },
    hold && {
      label: t(entry.status === 'held' ? 'sales.receipt.held' : 'sales.receipt.onHold'),
      value: hold.until ? formatDay(hold.until, timeZone) : t('sales.receipt.dispute'),
    },
    hold && { label: t('sales.receipt.why'), value: hold.reason },
    !hold && !payout && entry.status === 'due'
      ? { label: t('sales.receipt.payableOn'), value: formatDay(entry.availableAt, timeZone) }
      : null,
    payout && { label: t('sales.receipt.payout'), value: <PayoutName of={payout} readOnly={readOnly} /> },
    payout?.paidAt ? { label: t('sales.receipt.paidOn'), value: formatDay(payout.paidAt, timeZone) } : null,
    payout?.destination ? { label: t('sales.receipt.destination'), value: payout.destination } : null,
  ]
  return facts.filter((fact) => fact !== null)
}

function PayoutName({
  of: { id, number, status },
  readOnly,
}: {
  of: NonNullable<Receipt['payout']>
  readOnly: boolean
}) {
  const name = `PO-${number}`
  const words = statusLabel('payout', status)
  if (readOnly) return t('sales.receipt.payoutState', { number: name, status: words })
  return (
    <>
      <Link to="/payouts/$payoutId" params={{ payoutId: id }}>
        {name}
      </Link>
      {`, ${words}`}
    </>
  )
}
