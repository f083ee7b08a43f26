import type { ReactNode } from 'react'
import { type Reach, reaches } from '#contract/terms.ts'
import type { FormWith } from '../ui/contract-form.tsx'
import { RadioField } from '../ui/fields.tsx'
import { termsWords } from '../words/terms.ts'

type Props = {
  form: FormWith<{ appliesTo: Reach }>
  /** The effect of each choice on last month’s sales. */
  effects?: Record<Reach, ReactNode>
  /** A heading above asks the question. */
  legendHidden?: boolean
}

/** Asks whom a change of terms, or a move to a group, applies to. */
export const ReachField = ({ form, effects, legendHidden }: Props) => (
  <RadioField
    {...form.field('appliesTo', termsWords.who)}
    cards
    legendHidden={legendHidden}
    choices={reaches.map((reach) => ({
      value: reach,
      label: termsWords.reaches[reach],
      help: (
        <>
          {termsWords.reachHelp[reach]} {effects?.[reach]}
        </>
      ),
    }))}
  />
)
