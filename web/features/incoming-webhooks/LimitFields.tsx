import { useId } from 'react'
import { AllowedIp } from '#contract/incoming-webhooks.ts'
import { FormPanel, type FormWith } from '../../ui/contract-form.tsx'
import { TextField } from '../../ui/fields.tsx'
import { TagsField } from '../../ui/TagsField.tsx'
import { labelWords } from '../../words/fields.ts'
import { incomingWebhookWords } from '../../words/incoming-webhooks.ts'
import { PathList } from './PathList.tsx'

type Props = {
  form: FormWith<{ dedupePath: string; allowedIps: string[] }>
  /** The sample that is selected. */
  sample: unknown
}

/** The path that identifies duplicates, and the allowed IP addresses. */
export function LimitFields({ form: { field }, sample }: Props) {
  const paths = useId()
  return (
    <FormPanel heading={incomingWebhookWords.limits}>
      <PathList id={paths} sample={sample} />
      <TextField
        {...field('dedupePath', labelWords.dedupePath)}
        list={paths}
        spellCheck={false}
        optional
        help={incomingWebhookWords.dedupeHelp}
      />
      <TagsField
        {...field('allowedIps', labelWords.allowedIps)}
        optional
        placeholder={incomingWebhookWords.addAllowedIp}
        help={incomingWebhookWords.allowedIpsHelp}
        isWrong={(address) => !AllowedIp.safeParse(address).success}
      />
    </FormPanel>
  )
}
