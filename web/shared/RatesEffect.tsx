import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type RatesEffect as Effect, previewRates } from '#contract/sales.ts'
import { CommissionSettings } from '#contract/values.ts'
import { read } from '../calls.ts'
import { formatMoney } from '../format.ts'
import { commissionWords } from '../words/commissions.ts'
import type { CommissionValue } from './CommissionFields.tsx'

type Props = {
  accountId: string
  /** The owner of the rates: the account if neither is given. */
  of: { partnerId?: string; blueprintId?: string }
  /** The saved rates. */
  saved: CommissionValue
  typed: CommissionValue
}

/** Last month's payments under the rates being typed, once they differ and are valid. */
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
    <p role="status" className="strong">
      {changed && data && effectInWords(data)}
    </p>
  )
}

/** Returns how much more or less the month’s sales would have paid, in words. */
export function effectInWords({ sales, paid, wouldHavePaid, currency, from }: Effect) {
  // a calendar date, which has no time zone
  const month = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' }).format(new Date(from))
  if (sales === 0) return commissionWords.effect.none({ month })
  const difference = wouldHavePaid - paid
  const amount = formatMoney(Math.abs(difference), currency)
  const key = difference > 0 ? 'more' : difference < 0 ? 'less' : 'same'
  return commissionWords.effect[key]({ count: sales, month, amount })
}

/** Returns the value after a pause in typing. */
function useSettled(value: string) {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), 300)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
