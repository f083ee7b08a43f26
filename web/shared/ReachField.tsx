import type { ReactNode } from 'react'
import { type Reach, reaches } from '#contract/terms.ts'
import type { FormWith } from '../ui/contract-form.tsx'
import { RadioField } from '../ui/fields.tsx'
import { termsWords } from '../words/terms.ts'

type Props = {
  form: FormWith<{ appliesTo: Reach }>
  /** The effect of each choice on last month’s sales. */
  effects?: Record<Reach, ReactNode>
  /** A heading above contains the question. */
  legendHidden?: boolean
  words?: Pick<typeof termsWords, 'who' | 'reaches' | 'reachHelp'>
}

/** Choice of the customers to which a change of terms, or a move to a group, applies. */
export const ReachField = ({ form, effects, legendHidden, words = termsWords }: Props) => (
  <RadioField
    {...form.field('appliesTo', words.who)}
    cards
    legendHidden={legendHidden}
    choices={reaches.map((reach) => ({
      value: reach,
      label: words.reaches[reach],
      help: (
        <>
          {words.reachHelp[reach]} {effects?.[reach]}
        </>
      ),
    }))}
  />
)
