import { Link } from '@tanstack/react-router'
import type { EntryWithSale, SetAside } from '#contract/sales.ts'
import { formatDate, formatDateAt } from '../format.ts'
import { Name } from '../ui/Name.tsx'
import { t } from '../words.ts'
import styles from './commission-entries.module.css'

/** The title of an entry, linked to its sale if the reader may open its lead. */
export function EntryName({ entry }: { entry: EntryWithSale }) {
  const { saleId, lead } = entry
  const title = titleOf(entry)
  return (
    <div className={styles.name}>
      <Name>
        {saleId !== null && lead ? (
          <Link to="/leads/$leadId" params={{ leadId: lead.id }} hash={`sale-${saleId}`}>
            {title}
          </Link>
        ) : (
          title
        )}
      </Name>
    </div>
  )
}

/** The reason something is on hold or void, and the end if known. */
export function WhySetAside({ hold, timeZone }: { hold: SetAside; timeZone: string }) {
  if (!hold) return null
  const { until, reason } = hold
  return (
    <small className={styles.why}>
      {until ? t('entry.reasonUntil', { reason, date: formatDateAt(until, timeZone) }) : reason}
    </small>
  )
}

/** The lead of the sale. Another partner's lead is hidden from a partner. */
export function LeadOfEntry({ entry: { saleId, lead } }: { entry: EntryWithSale }) {
  if (saleId === null) return t('absent')
  if (!lead) return t('entry.leadHidden')
  return (
    <div className={styles.name}>
      <Name>
        <Link to="/leads/$leadId" params={{ leadId: lead.id }}>
          {lead.name}
        </Link>
      </Name>
    </div>
  )
}

export function titleOf({ kind, reason, refund, saleDate, saleDescription }: EntryWithSale): string {
  const date = saleDate && formatDate(saleDate)
  const sale = saleDescription ?? (date ? t('entry.theSaleOf', { date }) : t('entry.theSale'))
  switch (kind) {
    case 'adjustment':
      return t('entry.adjustment', { reason: reason ?? t('absent') })
    case 'bonus':
      return t('entry.bonus', { reason: reason ?? t('absent') })
    case 'restoration':
      return t('entry.restored', { sale })
    case 'reversal':
      if (!refund) return t('entry.voidOf', { sale })
      return t(refund.kind === 'dispute' ? 'entry.disputeOf' : 'entry.refundOf', { sale })
    default:
      return saleDescription ?? (date ? t('entry.saleOf', { date }) : t('entry.sale'))
  }
}

/** Returns the day of the sale, of the refund, or of the entry itself. */
export function dayOf({ kind, refund, saleDate, createdAt }: EntryWithSale, timeZone: string) {
  if (refund) return formatDateAt(refund.at, timeZone)
  return saleDate && kind === 'earned' ? formatDate(saleDate) : formatDateAt(createdAt, timeZone)
}
