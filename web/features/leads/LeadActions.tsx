import {
  addLeadNote,
  changeLead,
  changeLeadStatus,
  deleteLead,
  type Lead,
  LeadChange,
  LeadStatusChange,
  leadReasons,
  NewLeadNote,
} from '#contract/leads.ts'
import { LeadReassignment, reassignLead } from '#contract/sales.ts'
import { read, useCall } from '../../calls.ts'
import { todayIn } from '../../format.ts'
import { EarlierSalesField } from '../../shared/EarlierSalesField.tsx'
import { PartnerField } from '../../shared/PartnerPicker.tsx'
import { statusLabel } from '../../shared/StatusBadge.tsx'
import { useOwnAccount } from '../../shell/current.ts'
import { deletion } from '../../ui/act.tsx'
import { CheckboxField, DateField, SelectField, TextAreaField } from '../../ui/fields.tsx'
import { formAct } from '../../ui/form-act.tsx'
import type { Needed } from '../../ui/may.ts'
import { toast } from '../../ui/toasts.ts'
import type { Act } from '../../ui/useActs.tsx'
import { basicWords } from '../../words/basic.ts'
import { labelWords } from '../../words/fields.ts'
import { leadWords } from '../../words/leads.ts'
import { toastWords } from '../../words/shell.ts'
import { isClosed, isNegative, movesFrom } from './moves.ts'
import { isReason, reasonLabel } from './words.ts'

const ChangeStatus = formAct(changeLeadStatus, LeadStatusChange, (lead: Lead) => {
  const choices = movesFrom(lead.status)
  const undo = useCall(changeLeadStatus, {
    onError: ({ message }) => toast(message, { failed: true }),
  })
  return {
    heading: leadWords.status.heading,
    done(moved) {
      const back = wayBack(lead, moved)
      toast(leadWords.status.changed({ name: lead.displayName, status: statusLabel('lead', moved.status) }), {
        action: back && {
          label: toastWords.undo,
          run: () => undo.mutate({ params: { id: lead.id }, body: back }),
        },
      })
    },
    initial: { status: choices[0] ?? lead.status, reason: '', note: '', share: false },
    omit: ['share'],
    check: ({ reason }) => ({
      reason:
        isClosed(lead.status) && reason.trim() === ''
          ? basicWords.rules.required({ label: labelWords.reason })
          : undefined,
    }),
    send: ({ note, ...body }, { share }) => ({
      params: { id: lead.id },
      body: share ? { ...body, sharedNote: note } : { ...body, note },
    }),
    fields({ field, set, values: { status, share } }) {
      const reason = field('reason')
      return (
        <>
          <SelectField
            {...field('status')}
            choices={choices.map((value) => ({ value, label: statusLabel('lead', value) }))}
            onChange={(chosen) => chosen && set({ status: chosen, reason: '' })}
          />
          {isNegative(status) && (
            <SelectField
              {...reason}
              value={reason.value || null}
              placeholder={leadWords.status.chooseReason}
              choices={leadReasons.map((value) => ({ value: value as string, label: reasonLabel(value) }))}
              onChange={(chosen) => reason.onChange(chosen ?? '')}
            />
          )}
          {isClosed(lead.status) && <TextAreaField {...reason} rows={2} help={leadWords.status.reopenHelp} />}
          <TextAreaField
            {...field('note')}
            rows={3}
            optional
            help={share ? leadWords.status.sharedHelp : leadWords.status.noteHelp}
          />
          <CheckboxField {...field('share', leadWords.status.share)} />
        </>
      )
    },
  }
})

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

const AddNote = formAct(addLeadNote, NewLeadNote, (_: Lead) => ({
  heading: leadWords.actions.addNote,
  done: leadWords.addNote.done,
  initial: { text: '', shared: false },
  fields: ({ field, values }) => (
    <>
      <TextAreaField
        {...field('text', labelWords.note)}
        rows={4}
        help={values.shared ? leadWords.addNote.sharedHelp : leadWords.addNote.help}
      />
      <CheckboxField {...field('shared', leadWords.status.share)} />
    </>
  ),
}))

const Reassign = formAct(reassignLead, LeadReassignment, ({ id, accountId, partnerId }: Lead) => {
  const { defaultCurrency } = useOwnAccount()
  return {
    heading: leadWords.reassign.heading,
    why: leadWords.reassign.explain,
    submit: leadWords.actions.reassign,
    done: leadWords.reassign.done,
    initial: { partnerId, creditEarlierSales: false, reason: '' },
    check: ({ reason }) => ({
      reason: reason.trim() === '' ? basicWords.rules.required({ label: labelWords.reason }) : undefined,
    }),
    fields: ({ field, values: { partnerId } }) => (
      <>
        <PartnerField
          {...field('partnerId', labelWords.partner)}
          accountId={accountId}
          help={leadWords.reassign.help}
        />
        <EarlierSalesField
          {...field('creditEarlierSales', '')}
          currency={defaultCurrency}
          preview={partnerId ? read(reassignLead, { params: { id }, body: { partnerId, preview: true } }) : null}
        />
        <TextAreaField {...field('reason')} rows={2} />
      </>
    ),
  }
})

const DAY_MS = 86_400_000
const LAST_DAY = '9999-12-31'
const dayAfter = (day: string, days: number) => {
  const later = new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
  return later.startsWith('+') ? LAST_DAY : later
}

const Extend = formAct(changeLead, LeadChange, ({ protectedUntil }: Lead) => {
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
})

const Delete = deletion(deleteLead, ({ displayName }: Lead) => ({
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
} satisfies Record<string, Act<Lead>>
/** The calls they make. */
export const leadCalls: Record<keyof typeof leadActs, Needed> = {
  changeStatus: changeLeadStatus,
  addNote: addLeadNote,
  reassign: reassignLead,
  extend: changeLead,
  delete: deleteLead,
}
export type LeadAction = keyof typeof leadActs
