import { Link, useLocation, useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import type { CommissionEntry, EntryStatus } from '#contract/commissions.ts'
import { formatMoney } from '../format.ts'
import { Money } from '../ui/Money.tsx'
import { pieceWords } from '../words/pieces.ts'
import { statsWords } from '../words/stats.ts'
import styles from './MoneyLink.module.css'
import { statusLabel } from './StatusBadge.tsx'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The entry whose receipt is open above the page. */
    receipt?: string
  }
}

type Props = { of: Pick<CommissionEntry, 'id' | 'amount' | 'currency' | 'partnerName'>; strong?: boolean }

/**
 * The amount of an entry, which opens its receipt above the page; the link's own address is the receipt's page, for a
 * new tab or for sharing.
 */
export function MoneyLink({ of: { id, amount, currency, partnerName }, strong }: Props) {
  const { open } = useReceipts()
  const label = pieceWords.money.receipt({ amount: formatMoney(amount, currency), partner: partnerName })
  function above(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    open(id)
  }
  return (
    <Link
      to="/commissions/$commissionId"
      params={{ commissionId: id }}
      className={styles.opens}
      aria-haspopup="dialog"
      aria-label={label}
      title={label}
      onClick={above}
    >
      <Money amount={amount} currency={currency} strong={strong} />
    </Link>
  )
}

/**
 * The receipt that is open above the page. It is part of the history, so that Back closes it, also after a reload, and
 * returns to it from any page it led to.
 */
export function useReceipts() {
  const router = useRouter()
  const opened = useLocation({ select: ({ state }) => state.receipt })
  const show = (receipt: string | undefined, replace: boolean) =>
    router.navigate({
      to: '.',
      search: true,
      hash: true,
      state: (before) => ({ ...before, receipt }),
      replace,
      resetScroll: false,
      hashScrollIntoView: false,
    })
  return {
    opened,
    // A receipt opened from another one replaces it: closing returns to the page at once.
    open: (entryId: string) => show(entryId, opened !== undefined),
    close: () => (router.history.canGoBack() ? router.history.back() : show(undefined, true)),
  }
}

type OfBalance = {
  partnerId: string
  /** The part of the balance; all of it by default. */
  status?: EntryStatus
  amount: number
  currency: string
  strong?: boolean
}

/** A part of a partner's balance, linked to the commissions that add up to it. */
export function BalanceMoneyLink({ partnerId, status, amount, currency, strong }: OfBalance) {
  const label = pieceWords.money.ofBalance({
    part: status ? statusLabel('commission', status) : statsWords.earned,
    amount: formatMoney(amount, currency),
  })
  return (
    <Link
      to="/partners/$partnerId"
      params={{ partnerId }}
      search={{ tab: 'commissions', ...(status && { status }) }}
      className={styles.opens}
      aria-label={label}
      title={label}
    >
      <Money amount={amount} currency={currency} strong={strong} />
    </Link>
  )
}

type OfSale = { leadId: string; leadName: string | null; saleId: string | null; amount: number; currency: string }

/** The earnings of all partners from a sale, linked to the entries that add up to them. */
export function SaleMoneyLink({ leadId, leadName, saleId, amount, currency }: OfSale) {
  const label = pieceWords.money.ofSale({ amount: formatMoney(amount, currency), lead: leadName ?? '' })
  return (
    <Link
      to="/leads/$leadId"
      params={{ leadId }}
      hash={saleId === null ? undefined : `sale-${saleId}`}
      className={styles.opens}
      aria-label={label}
      title={label}
    >
      <Money amount={amount} currency={currency} />
    </Link>
  )
}
