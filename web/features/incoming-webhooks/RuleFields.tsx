import { FormPanel, type FormWith, fieldsOf } from '../../ui/contract-form.tsx'
import { TextField } from '../../ui/fields.tsx'
import { RowsField } from '../../ui/RowsField.tsx'
import { t } from '../../words.ts'
import { type FilterRow, MOST_FILTERS, NO_FILTER } from './mapping.ts'

type Props = {
  form: FormWith<{ filters: FilterRow[]; dedupePath: string }>
  /** The id of the list of the sample's paths. */
  paths: string
}

/** Which deliveries are left out, and which are the same once more. */
export function RuleFields({ form, paths }: Props) {
  const field = fieldsOf(form)
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
    </FormPanel>
  )
}
