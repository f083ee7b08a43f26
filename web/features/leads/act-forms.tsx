import { type LeadStatus, type LeadStatusChange, leadReasons, leadStatuses } from '#contract/leads.ts'
import { statusLabel } from '../../shared/StatusBadge.tsx'
import type { FormWith } from '../../ui/contract-form.tsx'
import { CheckboxField, SelectField, TextAreaField } from '../../ui/fields.tsx'
import { basicWords } from '../../words/basic.ts'
import { labelWords } from '../../words/fields.ts'
import { leadWords } from '../../words/leads.ts'
import { isClosed, isNegative, movesFrom } from './moves.ts'
import { reasonLabel } from './words.ts'

// The forms of acts on a lead, which are the same for one and for many.

type Status = { status: LeadStatus; reason: string; note: string; share: boolean }

const required = basicWords.rules.required({ label: labelWords.reason })

export const reasonGiven = ({ reason }: { reason: string }) => ({ reason: reason.trim() === '' ? required : undefined })

/** The form of a change of status, for leads with these; the first choice is possible for most of them. */
export function statusForm(from: readonly LeadStatus[]) {
  const able = (next: LeadStatus) => from.filter((status) => movesFrom(status).includes(next)).length
  const choices = leadStatuses.filter((next) => able(next) > 0)
  const first = choices.toSorted((a, b) => able(b) - able(a))[0] ?? from[0]!
  /** Returns whether a lead that was closed is opened again. */
  const reopens = (next: LeadStatus) =>
    !isNegative(next) && from.some((status) => isClosed(status) && movesFrom(status).includes(next))
  return {
    initial: { status: first, reason: '', note: '', share: false } as Status,
    omit: ['share' as const],
    check: ({ status, reason }: Status) => ({ reason: reopens(status) ? reasonGiven({ reason }).reason : undefined }),
    bodyOf: ({ note, ...body }: LeadStatusChange, { share }: Status): LeadStatusChange =>
      share ? { ...body, sharedNote: note } : { ...body, note },
    fields({ field, set, values: { status, share } }: FormWith<Status> & { set: (values: Partial<Status>) => void }) {
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
          {reopens(status) && <TextAreaField {...reason} rows={2} help={leadWords.status.reopenHelp} />}
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
}

type Note = { text: string; shared: boolean }

export const noteForm = {
  initial: { text: '', shared: false } as Note,
  fields: ({ field, values }: FormWith<Note>) => (
    <>
      <TextAreaField
        {...field('text', labelWords.note)}
        rows={4}
        help={values.shared ? leadWords.addNote.sharedHelp : leadWords.addNote.help}
      />
      <CheckboxField {...field('shared', leadWords.status.share)} />
    </>
  ),
}
