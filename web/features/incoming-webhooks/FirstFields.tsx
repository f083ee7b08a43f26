import { incomingTargets } from '#contract/incoming-webhooks.ts'
import type { FormWith } from '../../ui/contract-form.tsx'
import { FieldPair, SelectField, TextField } from '../../ui/fields.tsx'
import { fieldWords } from '../../words/fields.ts'
import { incomingWebhookWords } from '../../words/incoming-webhooks.ts'
import { AuthFields } from './AuthFields.tsx'
import type { AuthValues } from './auth.ts'

export type FirstValues = { name: string; target: (typeof incomingTargets)[number]; auth: AuthValues }

/** Fields needed before the webhook has a URL. `known` is the saved kind of authentication, if there is one. */
export function FirstFields({ form, known }: { form: FormWith<FirstValues>; known?: AuthValues['type'] }) {
  const { field } = form
  const target = field('target', fieldWords.target)
  return (
    <>
      <FieldPair>
        <TextField {...field('name', fieldWords.name)} />
        <SelectField
          {...target}
          onChange={(next) => next && target.onChange(next)}
          choices={incomingTargets.map((value) => ({ value, label: incomingWebhookWords.targets[value] }))}
          disabled={known !== undefined}
          help={known ? undefined : incomingWebhookWords.targetHelp}
        />
      </FieldPair>
      <AuthFields form={form} known={known} />
    </>
  )
}
