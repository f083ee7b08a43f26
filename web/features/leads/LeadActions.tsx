import { addDays } from '#contract/days.ts'
import {
  addLeadNote,
  changeLead,
  changeLeadStatus,
  deleteLead,
  type Lead,
  LeadChange,
  LeadStatusChange,
  NewLeadNote,
} from '#contract/leads.ts'
import { type EarlierSales, LeadReassignment, reassignLead } from '#contract/sales.ts'
import { apiQuery, useCall } from '../../calls.ts'
import { todayIn } from '../../format.ts'
import { creditingShown, EarlierSalesField } from '../../shared/EarlierSalesField.tsx'
import { PartnerField } from '../../shared/PartnerPicker.tsx'
import { statusLabel } from '../../shared/StatusBadge.tsx'
import { useOwnAccount } from '../../shell/current.ts'
import { defineDelete } from '../../ui/act.tsx'
import { exposeAction } from '../../ui/actions.tsx'
import { DateField, TextAreaField } from '../../ui/fields.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { showToast } from '../../ui/toasts.ts'
import { basicWords } from '../../words/basic.ts'
import { labelWords } from '../../words/fields.ts'
import { leadWords } from '../../words/leads.ts'
import { toastWords } from '../../words/shell.ts'
import { noteForm, reasonGiven, statusForm } from './act-forms.tsx'
import { isClosed, isNegative, movesFrom } from './moves.ts'
import { isReason } from './words.ts'

const ChangeStatus = exposeAction(
  defineFormAction(changeLeadStatus, LeadStatusChange, (lead: Lead) => {
    const undo = useCall(changeLeadStatus, {
      onError: ({ message }) => showToast(message, { failed: true }),
    })
    const { bodyOf, ...form } = statusForm([lead.status])
    return {
      heading: leadWords.status.heading,
      done(moved) {
        const back = wayBack(lead, moved)
        showToast(leadWords.status.changed({ name: lead.displayName, status: statusLabel('lead', moved.status) }), {
          action: back && {
            label: toastWords.undo,
            run: () => undo.mutate({ params: { id: lead.id }, body: back }),
          },
        })
      },
      ...form,
      send: (body, values) => ({ params: { id: lead.id }, body: bodyOf(body, values) }),
    }
  }),
  {
    label: leadWords.actions.changeStatus,
    cannot: ({ status }) => movesFrom(status).length === 0 && leadWords.status.byItself,
  },
)

/** Returns the change that undoes a move, if the rules allow it by hand. */
function wayBack(before: Lead, after: Lead) {
  if (!movesFrom(after.status).includes(before.status)) return undefined
  if (isNegative(before.status)) {
    return isReason(before.statusReason) ? { status: before.status, reason: before.statusReason } : undefined
  }
  return {
    status: before.status,
    ...(isClosed(after.status) && {
      reason: leadWords.status.byMistake({ status: statusLabel('lead', after.status) }),
    }),
  }
}

const AddNote = exposeAction(
  defineFormAction(addLeadNote, NewLeadNote, (_: Lead) => ({
    heading: leadWords.actions.addNote,
    done: leadWords.addNote.done,
    ...noteForm,
  })),
  { label: leadWords.actions.addNote },
)

const Reassign = exposeAction(
  defineFormAction(reassignLead, LeadReassignment, ({ id, accountId, partnerId }: Lead) => {
    const { defaultCurrency } = useOwnAccount()
    return {
      heading: leadWords.reassign.heading,
      why: leadWords.reassign.explain,
      submit: leadWords.actions.reassign,
      done: leadWords.reassign.done,
      initial: { partnerId, creditEarlierSales: false, shown: undefined as EarlierSales | undefined, reason: '' },
      send: (body) => ({ params: { id }, body: creditingShown(body) }),
      check: reasonGiven,
      fields: ({ field, set, values: { partnerId } }) => (
        <>
          <PartnerField
            {...field('partnerId', labelWords.partner)}
            accountId={accountId}
            help={leadWords.reassign.help}
          />
          <EarlierSalesField
            {...field('creditEarlierSales', '')}
            currency={defaultCurrency}
            onShown={(shown) => set({ shown })}
            preview={partnerId ? apiQuery(reassignLead, { params: { id }, body: { partnerId, preview: true } }) : null}
          />
          <TextAreaField {...field('reason')} rows={2} />
        </>
      ),
    }
  }),
  { label: leadWords.actions.reassign },
)

const LAST_DAY = '9999-12-31'
const dayAfter = (day: string, days: number) => {
  const later = addDays(day, days)
  return later.startsWith('+') ? LAST_DAY : later
}

const Extend = exposeAction(
  defineFormAction(changeLead, LeadChange, ({ protectedUntil }: Lead) => {
    const { timeZone, leadProtectionDays } = useOwnAccount()
    const today = todayIn(timeZone)
    const until = protectedUntil && todayIn(timeZone, new Date(protectedUntil))
    return {
      heading: leadWords.protection.heading,
      done: leadWords.protection.done,
      initial: { protectedUntil: dayAfter(until && until > today ? until : today, leadProtectionDays || 90) },
      check: ({ protectedUntil }) => ({
        // An empty date would make the protection endless, which no one asked for here.
        protectedUntil:
          protectedUntil === ''
            ? basicWords.rules.required({ label: labelWords.protectedUntil })
            : protectedUntil.length === today.length && protectedUntil <= today
              ? leadWords.protection.notPast
              : undefined,
      }),
      fields: ({ field }) => (
        <DateField {...field('protectedUntil')} min={dayAfter(today, 1)} help={leadWords.protection.help} />
      ),
    }
  }),
  {
    label: leadWords.actions.extend,
    when: ({ protectedUntil, status }) =>
      protectedUntil !== null && !['duplicate', 'expired', 'rejected'].includes(status),
  },
)

const Delete = defineDelete(deleteLead, ({ displayName }: Lead) => ({
  name: displayName,
  resource: labelWords.lead,
  thing: leadWords.deleteResource,
  list: { to: '/leads' },
  explain: ({ code, details, message }) =>
    code === 'in_use' ? leadWords.hasSales({ count: Number(details.sales) || 1 }) : message,
}))

/** The owner's actions on a lead. */
export const leadActs = {
  changeStatus: ChangeStatus,
  addNote: AddNote,
  reassign: Reassign,
  extend: Extend,
  delete: Delete,
}
