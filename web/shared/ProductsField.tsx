import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { listProducts } from '#contract/sales.ts'
import { read } from '../calls.ts'
import type { FieldProps } from '../ui/contract-form.tsx'
import { TagsField } from '../ui/TagsField.tsx'
import { termsWords } from '../words/terms.ts'

type Props = FieldProps<string[]> & { accountId: string; help?: ReactNode }

/** Several products, prices or SKUs by their ids: chosen among those that sales named, or typed. */
export function ProductsField({ accountId, ...props }: Props) {
  const list = useId()
  const { data } = useQuery(read(listProducts, { params: { id: accountId } }))
  const names = new Map(data?.items.map((product) => [product.id, product.name]))
  return (
    <>
      <TagsField
        {...props}
        spaced
        list={list}
        placeholder={termsWords.addProduct}
        show={(product) => [names.get(product), product].filter(Boolean).join(' · ')}
      />
      <datalist id={list}>
        {[...names].map(([product, name]) => (
          <option key={product} value={product} label={name ?? undefined} />
        ))}
      </datalist>
    </>
  )
}
