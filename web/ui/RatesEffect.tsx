import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type RatesEffect as Effect, previewRates } from '#contract/sales.ts'
import { CommissionSettings } from '#contract/values.ts'
import { read } from '../calls.ts'
import { formatMoney } from '../format.ts'
import { t } from '../words.ts'
import styles from './CommissionFields.module.css'
import type { CommissionValue } from './CommissionFields.tsx'

type Props = {
  accountId: string
  /** Whose rates they are: the account's where it names neither. */
  of: { partnerId?: string; blueprintId?: string }
  /** The rates as they stand. */
  saved: CommissionValue
  typed: CommissionValue
}

/** What last month's sales would have paid by the rates that are being typed, once they differ and can be saved. */
export function RatesEffect({ accountId, of, saved, typed }: Props) {
  const settled = useSettled(JSON.stringify(typed))
  const given = JSON.parse(settled) as CommissionValue
  const rates = given && CommissionSettings.safeParse(given)
  const body = { ...of, commissionSettings: rates?.data ?? null }
  const changed = JSON.stringify(typed) !== JSON.stringify(saved) && (given === null || rates?.success === true)
  const asked = changed && settled === JSON.stringify(typed)
  const { data } = useQuery({
    ...read(previewRates, { params: { id: accountId }, body }),
    enabled: asked,
    placeholderData: keepPreviousData,
  })
  return (
    <p role="status" className={styles.effect}>
      {changed && data && wordsOf(data)}
    </p>
  )
}

function wordsOf({ sales, paid, wouldHavePaid, currency, from }: Effect) {
  // the month's own name, in no time zone
  const month = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' }).format(new Date(from))
  if (sales === 0) return t('commission.effect.none', { month })
  const difference = wouldHavePaid - paid
  const amount = formatMoney(Math.abs(difference), currency)
  const key = difference > 0 ? 'more' : difference < 0 ? 'less' : 'same'
  return t(`commission.effect.${key}`, { count: sales, month, amount })
}

/** The value once nothing was typed for a moment. */
function useSettled(value: string) {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), 300)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
