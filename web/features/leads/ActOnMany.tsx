import { useQuery } from '@tanstack/react-query'
import { previewEarlierSales, startBulkAction } from '#contract/bulk-actions.ts'
import { type LeadStatus, LeadStatusChange, NewLeadNote } from '#contract/leads.ts'
import { LeadsReassignment } from '#contract/sales.ts'
import { apiQuery } from '../../calls.ts'
import { formatMoney } from '../../format.ts'
import { type Many, startedFrom } from '../../shared/bulk-actions.ts'
import { PartnerField } from '../../shared/PartnerPicker.tsx'
import { useOwnAccount } from '../../shell/current.ts'
import { CheckboxField, TextAreaField } from '../../ui/fields.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { labelWords } from '../../words/fields.ts'
import { leadWords, saleWords } from '../../words/leads.ts'
import { noteForm, reasonGiven, statusForm } from './act-forms.tsx'

/** Changes the status of leads in the background. */
const ChangeStatus = defineFormAction(
  startBulkAction,
  LeadStatusChange,
  ({ from, ...many }: Many & { from: readonly LeadStatus[] }) => {
    const { bodyOf, ...form } = statusForm(from)
    return {
      ...form,
      heading: leadWords.bulk.status({ count: many.ids.length }),
      submit: leadWords.actions.changeStatus,
      send: (body, values) => ({
        params: { id: many.accountId },
        body: { action: 'change-lead-status', ids: many.ids, change: bodyOf(body, values) },
      }),
      part: 'change',
      done: startedFrom(many),
    }
  },
)

/** Gives leads to a partner, or to none, in the background. */
const Reassign = defineFormAction(startBulkAction, LeadsReassignment, (many: Many) => {
  const { defaultCurrency } = useOwnAccount()
  const shown = useQuery({
    ...apiQuery(previewEarlierSales, { params: { id: many.accountId }, body: { ids: [...many.ids] } }),
    gcTime: 0,
  }).data
  return {
    heading: leadWords.bulk.reassign({ count: many.ids.length }),
    why: leadWords.bulk.reassignWhy,
    submit: leadWords.actions.reassign,
    initial: { partnerId: null as string | null, creditEarlierSales: false, reason: '' },
    check: reasonGiven,
    send: (change) => ({
      params: { id: many.accountId },
      body: {
        action: 'reassign-leads',
        ids: many.ids,
        change,
        ...(change.creditEarlierSales && { leads: shown?.leads ?? [] }),
      },
    }),
    part: 'change',
    done: startedFrom(many),
    fields: ({ field, values: { partnerId } }) => (
      <>
        <PartnerField
          {...field('partnerId', labelWords.partner)}
          accountId={many.accountId}
          help={leadWords.bulk.reassignHelp}
        />
        {partnerId && shown && shown.sales.count > 0 && (
          <CheckboxField
            {...field('creditEarlierSales', '')}
            label={saleWords.earlier.label({
              count: shown.sales.count,
              amount: formatMoney(shown.sales.amount, defaultCurrency),
            })}
            help={leadWords.bulk.creditEarlierHelp}
          />
        )}
        <TextAreaField {...field('reason')} rows={2} />
      </>
    ),
  }
})

/** Adds the same note to leads in the background. */
const AddNote = defineFormAction(startBulkAction, NewLeadNote, (many: Many) => ({
  ...noteForm,
  heading: leadWords.bulk.note({ count: many.ids.length }),
  submit: leadWords.actions.addNote,
  send: (change) => ({ params: { id: many.accountId }, body: { action: 'add-lead-note', ids: many.ids, change } }),
  part: 'change',
  done: startedFrom(many),
}))

export const actsOnMany = { changeStatus: ChangeStatus, reassign: Reassign, addNote: AddNote }
