import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { listPartners, type Partner } from '#contract/partners.ts'
import { isNotFound } from '../api.ts'
import { listQuery } from '../calls.ts'
import type { FieldProps } from '../ui/contract-form.tsx'
import { PickerField, PickerFilter, type PickerOption } from '../ui/Picker.tsx'
import { basicWords } from '../words/basic.ts'
import { tableWords } from '../words/lists.ts'
import { partnerQuery } from './queries.ts'

/**
 * The partners of an account whose name, email or code contains the typed text; before them, without a search, the
 * `fixed` options.
 */
const partnersOf =
  (accountId: string, fixed: readonly PickerOption[] = []) =>
  (search: string) => ({
    ...listQuery(listPartners, {
      params: { id: accountId },
      search: { limit: 20, sort: 'name', ...(search && { search }) },
    }),
    select({ items, nextCursor }: { items: Partner[]; nextCursor: string | null }) {
      const found = items.map(({ id, displayName, referralCode }) => ({
        value: id,
        label: displayName,
        note: referralCode,
      }))
      return { options: [...(search ? [] : fixed), ...found], more: nextCursor !== null }
    },
  })

/** Returns the name of a partner chosen elsewhere, by the address or earlier; a placeholder for one deleted since. */
function useName(id: string | null) {
  const { data, error } = useQuery({
    ...partnerQuery(id ?? ''),
    enabled: Boolean(id) && id !== 'none',
  })
  if (id === 'none') return undefined
  return data?.displayName ?? (isNotFound(error) ? tableWords.gone : undefined)
}

type Props = FieldProps<string | null> & { accountId: string; optional?: boolean; help?: ReactNode; disabled?: boolean }

/** A field for choosing a partner of the account, or none: `null`. */
export function PartnerField({ accountId, ...field }: Props) {
  return (
    <PickerField
      {...field}
      placeholder={tableWords.none}
      valueLabel={useName(field.value)}
      optionsFor={partnersOf(accountId)}
    />
  )
}

type FilterProps = {
  label: string
  value: string
  onChange: (value: string | undefined) => void
  accountId: string
  /** Label of the choice for rows without a partner: 'Unattributed', 'None'. */
  without?: string
  /** A partner is always chosen. */
  keeps?: boolean
  /** The chosen partner's name, if already known. */
  name?: string
}

/** A `PartnerField` as a table's filter, in the filter's `render`. */
export function PartnerFilter({ accountId, without, name: known, ...filter }: FilterProps) {
  const fixed = without ? [{ value: 'none', label: without }] : []
  const name = useName(known === undefined ? filter.value || null : null) ?? known
  const valueLabel = filter.value === 'none' ? without : (name ?? basicWords.absent)
  return <PickerFilter {...filter} valueLabel={valueLabel} optionsFor={partnersOf(accountId, fixed)} />
}
