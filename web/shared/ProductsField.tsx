import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { listProducts, type SaleProduct } from '#contract/sales.ts'
import { apiQuery } from '../calls.ts'
import type { FieldProps } from '../ui/contract-form.tsx'
import { TextField } from '../ui/fields.tsx'
import { TagsField } from '../ui/TagsField.tsx'
import { termsWords } from '../words/terms.ts'

type Props = FieldProps<string[]> & { accountId: string; help?: ReactNode }

/** Several products, prices or SKUs by their ids: chosen among those that sales named, or typed. */
export function ProductsField({ accountId, ...props }: Props) {
  const { known, list, choices } = useProductList(accountId)
  return (
    <>
      <TagsField
        {...props}
        spaced
        list={list}
        placeholder={termsWords.addProduct}
        show={(product) => [known.get(product)?.name, product].filter(Boolean).join(' · ')}
      />
      {choices}
    </>
  )
}

type OneProps = FieldProps<string> & { accountId: string; products: readonly string[] }

/** The product of a sale, if any: one of these, one that sales named, or typed. */
export function ProductField({ accountId, products, ...props }: OneProps) {
  const { list, choices } = useProductList(accountId, products)
  return (
    <>
      <TextField {...props} list={list} spellCheck={false} optional />
      {choices}
    </>
  )
}

/** Returns the products that sales named, by id; loaded only if `used`. */
export function useProducts(accountId: string, used = true) {
  const { data } = useQuery({ ...apiQuery(listProducts, { params: { id: accountId } }), enabled: used })
  return new Map(data?.items.map((product) => [product.id, product]))
}

function useProductList(accountId: string, others: readonly string[] = []) {
  const list = useId()
  const known = useProducts(accountId)
  const choices = (
    <datalist id={list}>
      {[...new Set([...others, ...known.keys()])].map((product) => (
        <option key={product} value={product} label={known.get(product)?.name ?? undefined} />
      ))}
    </datalist>
  )
  return { known, list, choices }
}

const fields = { product: 'productId', price: 'priceId', sku: 'sku' } as const

/** Returns the line of a sale of one product, price or SKU. */
export const toSaleLine = (product: string, amount: number, known: ReadonlyMap<string, SaleProduct>) => ({
  [fields[known.get(product)?.kind ?? 'product']]: product,
  amount,
})
