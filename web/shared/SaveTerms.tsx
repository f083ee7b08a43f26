import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { z } from 'zod'
import { previewRates } from '#contract/sales.ts'
import { type Reach, TermsChange, type TermsState } from '#contract/terms.ts'
import type { CallError } from '../api.ts'
import { apiQuery, useCall } from '../calls.ts'
import { useContractForm } from '../ui/contract-form.tsx'
import { FormDialog } from '../ui/FormDialog.tsx'
import { CheckboxField, TextField } from '../ui/fields.tsx'
import { isSame } from '../ui/form-values.ts'
import { termsWords } from '../words/terms.ts'
import { effectInWords } from './RatesEffect.tsx'
import { ReachField } from './ReachField.tsx'
import { type GivenTerms, getTermsChange, type TermsSubject, toPreviewSubject } from './terms.ts'

type Props = {
  accountId: string
  subject: TermsSubject
  /** The saved terms; absent in a form without terms. */
  state: TermsState | undefined
  /** Whether the subject has customers, whom a change may exclude. */
  hasCustomers: boolean
  /** The call that saves the form's other values. */
  rest: Saving
}

type Saving = { busy: boolean; error: CallError | null; saved: { current: boolean } }
type Changes = { terms?: GivenTerms | null }

/**
 * Saves the terms of a form before its other values. If there are customers, a dialog asks first whom the change
 * applies to.
 */
export function useSaveTerms({ accountId, subject, state, hasCustomers, rest }: Props) {
  const [asked, setAsked] = useState<GivenTerms | null>()
  const next = useRef<() => unknown>(undefined)
  const change = useCall(getTermsChange(subject), {
    onSuccess() {
      setAsked(undefined)
      return next.current?.()
    },
  })
  const send = (terms: GivenTerms | null, choice: TermsChoice) =>
    change.mutate({ params: { id: subject.id }, body: { ...choice, terms, replaces: state?.version ?? undefined } })

  return {
    /** Saves changed terms, then calls `saveRest` with the other changes, or `done` if only the terms changed. */
    submit<C extends Changes>(
      { terms, ...others }: C,
      saveRest: (others: Omit<C, 'terms'>) => unknown,
      done: () => unknown,
    ) {
      next.current = () => {
        if (Object.keys(others).length > 0) return saveRest(others)
        rest.saved.current = true
        return done()
      }
      if (terms === undefined || isSame(terms, state?.own)) saveRest(others)
      else if (hasCustomers) setAsked(terms)
      else send(terms, { appliesTo: 'all-sales' })
    },
    /** Both calls as one, for the form. */
    save: {
      busy: change.busy || rest.busy,
      error: asked === undefined ? (change.error ?? rest.error) : rest.error,
      saved: rest.saved,
    },
    dialog: asked !== undefined && (
      <SaveTerms
        accountId={accountId}
        subject={subject}
        terms={asked}
        save={change}
        onSubmit={(choice) => send(asked, choice)}
        onClose={() => {
          setAsked(undefined)
          change.reset()
        }}
      />
    ),
  }
}

type TermsChoice = Pick<z.input<typeof TermsChange>, 'appliesTo' | 'note' | 'notifyPartners'>

type DialogProps = Pick<Props, 'accountId' | 'subject'> & {
  terms: GivenTerms | null
  save: Saving
  onSubmit: (choice: TermsChoice) => void
  onClose: () => void
}

/** Choice of the customers to which a change of terms applies, with its effect on last month’s sales. */
function SaveTerms({ accountId, subject, terms, save, onSubmit, onClose }: DialogProps) {
  const form = useContractForm(TermsChange.pick({ appliesTo: true, note: true, notifyPartners: true }), {
    initial: { appliesTo: 'new-customers' as Reach, note: '', notifyPartners: false },
  })
  const effects = { 'new-customers': useEffectOn('new-customers'), 'all-sales': useEffectOn('all-sales') }

  function useEffectOn(appliesTo: Reach) {
    const body = { ...toPreviewSubject(subject), terms, appliesTo }
    const { data } = useQuery(apiQuery(previewRates, { params: { id: accountId }, body }))
    return data && effectInWords(data)
  }

  return (
    <FormDialog
      heading={termsWords.who}
      submit={termsWords.save}
      form={form}
      save={save}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <ReachField form={form} effects={effects} legendHidden />
      <TextField {...form.field('note', termsWords.note)} optional />
      <CheckboxField {...form.field('notifyPartners', termsWords.tell[subject.of === 'partner' ? 'one' : 'all'])} />
    </FormDialog>
  )
}
