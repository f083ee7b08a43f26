import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { listLeads } from '#contract/leads.ts'
import { listQuery } from '../calls.ts'
import { t } from '../words.ts'
import type { FieldProps } from './contract-form.tsx'
import { type PickerAnswer, PickerField } from './Picker.tsx'

/** The leads of an account whose name, e-mail or company holds what is typed. */
function leadsOf(accountId: string) {
  return function useLeads(search: string, wanted: boolean): PickerAnswer {
    const query = { limit: 20, sort: 'name', ...(search && { search }) }
    const asked = listQuery(listLeads, { params: { id: accountId }, search: query })
    const { data, error, isFetching, refetch } = useQuery({ ...asked, enabled: wanted })
    const options = data?.items.map(({ id, displayName, email, partnerName }) => ({
      value: id,
      label: displayName,
      note: [partnerName, email].filter(Boolean).join(' · '),
    }))
    return { options, more: Boolean(data?.nextCursor), failed: error !== null && !isFetching, retry: refetch }
  }
}

type Props = FieldProps<string | null> & { accountId: string; optional?: boolean; help?: ReactNode }

/** A field that chooses a lead of the account, or none: `null`. */
export const LeadField = ({ accountId, ...field }: Props) => (
  <PickerField {...field} placeholder={t('table.none')} useOptions={leadsOf(accountId)} />
)
