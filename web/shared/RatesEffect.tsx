import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { formatTag } from '#contract/language.ts'
import { type RatesPreview as Effect, previewRates } from '#contract/sales.ts'
import { Terms } from '#contract/terms.ts'
import { apiQuery } from '../calls.ts'
import { formatMoney } from '../format.ts'
import { isSame } from '../ui/form-values.ts'
import { commissionWords } from '../words/commissions.ts'
import { type TermsSubject, type TermsValue, toPreviewSubject } from './terms.ts'

type Props = {
  accountId: string
  subject: TermsSubject
  /** The saved terms. */
  saved: TermsValue | null
  typed: TermsValue | null
}

/** Last month's payments under the terms being typed, once they differ and are valid. */
export function RatesEffect({ accountId, subject, saved, typed }: Props) {
  const settled = useSettled(JSON.stringify(typed))
  const given = JSON.parse(settled) as TermsValue | null
  const terms = given && Terms.safeParse(given)
  const body = { ...toPreviewSubject(subject), terms: terms?.data ?? null }
  const changed = !isSame(typed, saved) && (given === null || terms?.success === true)
  const isRequested = changed && settled === JSON.stringify(typed)
  const { data } = useQuery({
    ...apiQuery(previewRates, { params: { id: accountId }, body }),
    enabled: isRequested,
    placeholderData: keepPreviousData,
  })
  return (
    <p role="status" className="strong">
      {changed && data && effectInWords(data)}
    </p>
  )
}

/** Returns how much more or less the month’s sales and leads would have paid, in words. */
export function effectInWords({ sales, leads, paid, wouldHavePaid, currency, from }: Effect) {
  // a calendar date, which has no time zone
  const month = new Intl.DateTimeFormat(formatTag(), { month: 'long', timeZone: 'UTC' }).format(new Date(from))
  if (sales + leads === 0) return commissionWords.effect.none({ month })
  const difference = wouldHavePaid - paid
  const amount = formatMoney(Math.abs(difference), currency)
  const key = difference > 0 ? 'more' : difference < 0 ? 'less' : 'same'
  return commissionWords.effect[key]({ what: commissionWords.effect.what({ sales, leads }), month, amount })
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
