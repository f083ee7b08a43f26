import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
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
}

/** Asks whether the customer's earlier sales are credited too, with their number, sum and earnings. */
export function EarlierSalesField({ preview, currency, ...field }: Props) {
  const { data, error } = useQuery({ queryKey: ['nobody'], ...preview, enabled: preview !== null, gcTime: 0 })
  if (error) return <Message kind="error">{error.message}</Message>
  const { sales, commission } = (preview && (data as EarlierSales | undefined)) ?? { sales: { count: 0, amount: 0 } }
  if (sales.count === 0) return null
  return (
    <CheckboxField
      {...field}
      label={saleWords.earlier.label({ count: sales.count, amount: formatMoney(sales.amount, currency) })}
      help={saleWords.earlier.help({ commission: formatMoney(commission ?? 0, currency) })}
    />
  )
}
