import { useQuery } from '@tanstack/react-query'
import { previewRates } from '#contract/sales.ts'
import { changeAccountTerms, type Reach, reaches, TermsChange } from '#contract/terms.ts'
import { read, useCall } from '../../calls.ts'
import { effectInWords } from '../../shared/RatesEffect.tsx'
import { useContractForm } from '../../ui/contract-form.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { RadioField, TextField } from '../../ui/fields.tsx'
import { termsWords } from '../../words/terms.ts'

type Props = {
  accountId: string
  layerRates: number[]
  /** Called after the terms were saved. */
  onSaved: () => void
  onClose: () => void
}

/** Asks whom a change of the account’s rates applies to, with its effect on last month’s sales, and saves them. */
export function SaveTerms({ accountId, layerRates, onSaved, onClose }: Props) {
  const initial: { appliesTo: Reach; note: string } = { appliesTo: 'new-customers', note: '' }
  const form = useContractForm(TermsChange.pick({ appliesTo: true, note: true }), { initial })
  const terms = { otherwise: { layerRates } }
  const save = useCall(changeAccountTerms, {
    onSuccess() {
      onClose()
      onSaved()
    },
  })
  const effects = { 'new-customers': useEffectOn('new-customers'), 'all-sales': useEffectOn('all-sales') }

  function useEffectOn(appliesTo: Reach) {
    const { data } = useQuery(read(previewRates, { params: { id: accountId }, body: { terms, appliesTo } }))
    return data && effectInWords(data)
  }

  return (
    <FormDialog
      heading={termsWords.who}
      submit={termsWords.save}
      form={form}
      save={save}
      onSubmit={(body) => save.mutate({ params: { id: accountId }, body: { ...body, terms } })}
      onClose={onClose}
    >
      <RadioField
        {...form.field('appliesTo', termsWords.who)}
        cards
        legendHidden
        choices={reaches.map((reach) => ({
          value: reach,
          label: termsWords.reaches[reach],
          help: (
            <>
              {termsWords.reachHelp[reach]} {effects[reach]}
            </>
          ),
        }))}
      />
      <TextField {...form.field('note', termsWords.note)} optional />
    </FormDialog>
  )
}
