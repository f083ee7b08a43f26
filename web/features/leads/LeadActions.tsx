import { type ReactNode, useState } from 'react'
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
import { useContractForm } from '../../ui/contract-form.tsx'
import { ConfirmDelete } from '../../ui/Dialog.tsx'
import { useDeletion, useDialogCall } from '../../ui/dialog-call.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { CheckboxField, DateField, SelectField, TextAreaField } from '../../ui/fields.tsx'
import { toast } from '../../ui/toasts.ts'
import { basicWords } from '../../words/basic.ts'
import { labelWords } from '../../words/fields.ts'
import { leadWords } from '../../words/leads.ts'
import { toastWords } from '../../words/shell.ts'
import { isClosed, isNegative, movesFrom } from './moves.ts'
import { isReason, reasonLabel } from './words.ts'

export type LeadAction = 'changeStatus' | 'addNote' | 'reassign' | 'extend' | 'delete'

type DialogProps = { lead: Lead; onClose: () => void }

const dialogs: Record<LeadAction, (props: DialogProps) => ReactNode> = {
  changeStatus: StatusDialog,
  addNote: NoteDialog,
  reassign: ReassignDialog,
  extend: ExtendDialog,
  delete: DeleteDialog,
}

/** Returns `start`, which opens a lead act's dialog, and `dialog`, which the screen must render. */
export function useLeadActions(lead: Lead) {
  const [action, start] = useState<LeadAction | null>(null)
  const Open = action && dialogs[action]
  return { start, dialog: Open && <Open lead={lead} onClose={() => start(null)} /> }
}

function StatusDialog({ lead, onClose }: DialogProps) {
  const choices = movesFrom(lead.status)
  const form = useContractForm(LeadStatusChange, {
    initial: { status: choices[0] ?? lead.status, reason: '', note: '', share: false },
    omit: ['share'],
    check: ({ reason }) => ({
      reason:
        isClosed(lead.status) && reason.trim() === ''
          ? basicWords.rules.required({ label: labelWords.reason })
          : undefined,
    }),
  })
  const undo = useCall(changeLeadStatus, {
    onError: ({ message }) => toast(message, { failed: true }),
  })
  const save = useCall(changeLeadStatus, {
    onSuccess: (moved) => {
      const back = wayBack(lead, moved)
      toast(leadWords.status.changed({ name: lead.displayName, status: statusLabel('lead', moved.status) }), {
        action: back && {
          label: toastWords.undo,
          run: () => undo.mutate({ params: { id: lead.id }, body: back }),
        },
      })
      onClose()
    },
  })
  const { status, share } = form.values
  const reason = form.field('reason')
  const note = form.field('note')
  return (
    <FormDialog
      heading={leadWords.status.heading}
      form={form}
      save={save}
      onSubmit={({ note, ...body }) =>
        save.mutate({ params: { id: lead.id }, body: share ? { ...body, sharedNote: note } : { ...body, note } })
      }
      onClose={onClose}
    >
      <SelectField
        {...form.field('status')}
        choices={choices.map((value) => ({ value, label: statusLabel('lead', value) }))}
        onChange={(chosen) => chosen && form.set({ status: chosen, reason: '' })}
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
        {...note}
        rows={3}
        optional
        help={share ? leadWords.status.sharedHelp : leadWords.status.noteHelp}
      />
      <CheckboxField {...form.field('share', leadWords.status.share)} />
    </FormDialog>
  )
}

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

function NoteDialog({ lead, onClose }: DialogProps) {
  const form = useContractForm(NewLeadNote, { initial: { text: '', shared: false } })
  const save = useDialogCall(addLeadNote, { done: leadWords.addNote.done, onClose })
  return (
    <FormDialog
      heading={leadWords.actions.addNote}
      form={form}
      save={save}
      onSubmit={(body) => save.mutate({ params: { id: lead.id }, body })}
      onClose={onClose}
    >
      <TextAreaField
        {...form.field('text', labelWords.note)}
        rows={4}
        help={form.values.shared ? leadWords.addNote.sharedHelp : leadWords.addNote.help}
      />
      <CheckboxField {...form.field('shared', leadWords.status.share)} />
    </FormDialog>
  )
}

function ReassignDialog({ lead, onClose }: DialogProps) {
  const initial = { partnerId: lead.partnerId, creditEarlierSales: false, reason: '' }
  const form = useContractForm(LeadReassignment, {
    initial,
    check: ({ reason }) => ({
      reason: reason.trim() === '' ? basicWords.rules.required({ label: labelWords.reason }) : undefined,
    }),
  })
  const save = useDialogCall(reassignLead, { done: leadWords.reassign.done, onClose })
  const { defaultCurrency } = useOwnAccount()
  const { partnerId } = form.values
  return (
    <FormDialog
      heading={leadWords.reassign.heading}
      why={leadWords.reassign.explain}
      submit={leadWords.actions.reassign}
      form={form}
      save={save}
      onSubmit={(body) => save.mutate({ params: { id: lead.id }, body })}
      onClose={onClose}
    >
      <PartnerField
        {...form.field('partnerId', labelWords.partner)}
        accountId={lead.accountId}
        help={leadWords.reassign.help}
      />
      <EarlierSalesField
        {...form.field('creditEarlierSales', '')}
        currency={defaultCurrency}
        preview={partnerId ? read(reassignLead, { params: { id: lead.id }, body: { partnerId, preview: true } }) : null}
      />
      <TextAreaField {...form.field('reason')} rows={2} />
    </FormDialog>
  )
}

const DAY_MS = 86_400_000
const LAST_DAY = '9999-12-31'
const dayAfter = (day: string, days: number) => {
  const later = new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
  return later.startsWith('+') ? LAST_DAY : later
}

function ExtendDialog({ lead, onClose }: DialogProps) {
  const { timeZone, leadProtectionDays } = useOwnAccount()
  const today = todayIn(timeZone)
  const until = lead.protectedUntil && todayIn(timeZone, new Date(lead.protectedUntil))
  const form = useContractForm(LeadChange, {
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
  })
  const save = useDialogCall(changeLead, { done: leadWords.protection.done, onClose })
  return (
    <FormDialog
      heading={leadWords.protection.heading}
      form={form}
      save={save}
      onSubmit={(body) => save.mutate({ params: { id: lead.id }, body })}
      onClose={onClose}
    >
      <DateField {...form.field('protectedUntil')} min={dayAfter(today, 1)} help={leadWords.protection.help} />
    </FormDialog>
  )
}

function DeleteDialog({ lead: { id, displayName }, onClose }: DialogProps) {
  const deletion = useDeletion(deleteLead, { id, resource: labelWords.lead, list: { to: '/leads' } })
  return (
    <ConfirmDelete
      {...deletion}
      resource={leadWords.deleteResource}
      name={displayName}
      onClose={onClose}
      explain={({ code, details, message }) =>
        code === 'in_use' ? leadWords.hasSales({ count: Number(details.sales) || 1 }) : message
      }
    />
  )
}
