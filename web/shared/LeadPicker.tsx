import type { ReactNode } from 'react'
import { type Lead, listLeads } from '#contract/leads.ts'
import { listQuery } from '../calls.ts'
import type { FieldProps } from '../ui/contract-form.tsx'
import { PickerField, type PickerOption } from '../ui/Picker.tsx'
import { tableWords } from '../words/lists.ts'

/** The leads of an account whose name, email or company contains the typed text, after the `fixed` options. */
const leadsOf =
  (accountId: string, fixed: readonly PickerOption[] = []) =>
  (search: string) => ({
    ...listQuery(listLeads, {
      params: { id: accountId },
      search: { limit: 20, sort: 'name', ...(search && { search }) },
    }),
    select: ({ items, nextCursor }: { items: Lead[]; nextCursor: string | null }) => ({
      options: [
        ...fixed,
        ...items.map(({ id, displayName, email, partnerName }) => ({
          value: id,
          label: displayName,
          note: [partnerName, email].filter(Boolean).join(' · '),
        })),
      ],
      more: nextCursor !== null,
    }),
  })

type Props = FieldProps<string | null> & {
  accountId: string
  optional?: boolean
  help?: ReactNode
  placeholder?: string
  valueLabel?: string | undefined
  fixed?: readonly PickerOption[]
}

/** A field for choosing a lead of the account, or none: `null`. */
export const LeadField = ({ accountId, placeholder = tableWords.none, fixed, ...field }: Props) => (
  <PickerField {...field} placeholder={placeholder} optionsFor={leadsOf(accountId, fixed)} />
)
