import { AllowedIp } from '#contract/incoming-webhooks.ts'
import { FormPanel, type FormWith } from '../../ui/contract-form.tsx'
import { TextField } from '../../ui/fields.tsx'
import { RowsField } from '../../ui/RowsField.tsx'
import { TagsField } from '../../ui/TagsField.tsx'
import { fieldWords, labelWords } from '../../words/fields.ts'
import { incomingWebhookWords } from '../../words/incoming-webhooks.ts'
import { type FilterRow, MOST_FILTERS, NO_FILTER } from './mapping.ts'

type Props = {
  form: FormWith<{ filters: FilterRow[]; dedupePath: string; allowedIps: string[] }>
  /** The id of the datalist of the sample's paths. */
  paths: string
}

/** Rules for deliveries: filters, the path that identifies duplicates, and the allowed IP addresses. */
export function RuleFields({ form, paths }: Props) {
  const { field } = form
  const path = { list: paths, spellCheck: false, autoComplete: 'off' }
  return (
    <FormPanel heading={incomingWebhookWords.rules} help={incomingWebhookWords.rulesHelp}>
      <RowsField
        field={field('filters', fieldWords.filters)}
        blank={NO_FILTER}
        most={MOST_FILTERS}
        words={{
          row: (number) => incomingWebhookWords.filterAt({ number }),
          add: incomingWebhookWords.addFilter,
          remove: (number) => incomingWebhookWords.removeFilter({ number }),
        }}
      >
        {(at) => (
          <>
            <TextField {...field(`filters.${at}.path`, incomingWebhookWords.filterPath)} {...path} />
            <TextField {...field(`filters.${at}.equals`, incomingWebhookWords.filterEquals)} autoComplete="off" />
          </>
        )}
      </RowsField>
      <TextField
        {...field('dedupePath', labelWords.dedupePath)}
        {...path}
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
