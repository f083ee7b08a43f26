import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { EarlierSales } from '#contract/sales.ts'
import { formatMoney } from '../format.ts'
import type { FieldProps } from '../ui/contract-form.tsx'
import { CheckboxField } from '../ui/fields.tsx'
import { Message } from '../ui/Message.tsx'
import { saleWords } from '../words/leads.ts'

type Props = FieldProps<boolean> & {
  currency: string
  /** The crediting call as a preview; null until a partner is chosen. */
  preview: Pick<UseQueryOptions, 'queryKey' | 'queryFn'> | null
  /** Called with what is shown, which is sent along; undefined unless they are credited. */
  onShown: (shown: EarlierSales | undefined) => void
}

/** Completes a body for the call: earlier sales are credited only as they are shown. */
export const creditingShown = <Body extends { shown?: unknown }>(body: Body) => ({
  ...body,
  creditEarlierSales: body.shown !== undefined,
})

/** Asks whether the customer's earlier sales are credited too, with their number, sum and earnings. */
export function EarlierSalesField({ preview, currency, onShown, ...field }: Props) {
  const { data, error } = useQuery({ queryKey: ['nobody'], ...preview, enabled: preview !== null, gcTime: 0 })
  const earlier = preview ? (data as EarlierSales | undefined) : undefined
  const shown = field.value && earlier && earlier.sales.count > 0 ? earlier : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is what is shown that changes
  useEffect(() => onShown(shown), [shown])
  if (error) return <Message kind="error">{error.message}</Message>
  if (!earlier || earlier.sales.count === 0) return null
  const { sales, commission, leadPay } = earlier
  return (
    <CheckboxField
      {...field}
      label={saleWords.earlier.label({ count: sales.count, amount: formatMoney(sales.amount, currency) })}
      help={saleWords.earlier.help({ commission: formatMoney(commission + leadPay, currency) })}
    />
  )
}
