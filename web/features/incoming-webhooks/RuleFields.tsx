import { AllowedIp } from '#contract/incoming-webhooks.ts'
import { FormPanel, type FormWith } from '../../ui/contract-form.tsx'
import { TextField } from '../../ui/fields.tsx'
import { RowsField } from '../../ui/RowsField.tsx'
import { TagsField } from '../../ui/TagsField.tsx'
import { t } from '../../words.ts'
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
    <FormPanel heading={t('incomingWebhooks.rules')} help={t('incomingWebhooks.rulesHelp')}>
      <RowsField
        field={field('filters', t('incomingWebhooks.filters'))}
        blank={NO_FILTER}
        most={MOST_FILTERS}
        words={{
          row: (number) => t('incomingWebhooks.filterAt', { number }),
          add: t('incomingWebhooks.addFilter'),
          remove: (number) => t('incomingWebhooks.removeFilter', { number }),
        }}
      >
        {(at) => (
          <>
            <TextField {...field(`filters.${at}.path`, t('incomingWebhooks.filterPath'))} {...path} />
            <TextField {...field(`filters.${at}.equals`, t('incomingWebhooks.filterEquals'))} autoComplete="off" />
          </>
        )}
      </RowsField>
      <TextField
        {...field('dedupePath', t('incomingWebhooks.dedupePath'))}
        {...path}
        optional
        help={t('incomingWebhooks.dedupeHelp')}
      />
      <TagsField
        {...field('allowedIps', t('incomingWebhooks.allowedIps'))}
        optional
        placeholder={t('incomingWebhooks.addAllowedIp')}
        help={t('incomingWebhooks.allowedIpsHelp')}
        isWrong={(address) => !AllowedIp.safeParse(address).success}
      />
    </FormPanel>
  )
}
