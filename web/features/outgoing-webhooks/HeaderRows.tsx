import type { FormWith } from '../../ui/contract-form.tsx'
import { PasswordField, TextField } from '../../ui/fields.tsx'
import { RowsField } from '../../ui/RowsField.tsx'
import { t } from '../../words.ts'
import { type HeaderRow, MOST_HEADERS, NO_HEADER } from './headers.ts'

type Props = {
  form: FormWith<{ headers: HeaderRow[] }>
  /** Names of saved headers, whose values need not be entered again. */
  known: readonly string[]
}

/** The custom headers to send, one per row. */
export function HeaderRows({ form, known }: Props) {
  const { field } = form
  return (
    <RowsField
      never0
      field={field('headers', t('outgoingWebhooks.headers'))}
      blank={NO_HEADER}
      most={MOST_HEADERS}
      words={{
        row: (number) => t('outgoingWebhooks.headerAt', { number }),
        add: t('outgoingWebhooks.addHeader'),
        remove: (number) => t('outgoingWebhooks.removeHeader', { number }),
      }}
    >
      {(at) => (
        <>
          <TextField {...field(`headers.${at}.name`, t('outgoingWebhooks.headerName'))} autoComplete="off" />
          <PasswordField
            {...field(`headers.${at}.value`, t('outgoingWebhooks.headerValue'))}
            autoComplete="off"
            placeholder={
              known.includes(form.values.headers[at]?.name.trim() ?? '') ? t('outgoingWebhooks.kept') : undefined
            }
            showLabel={t('outgoingWebhooks.showHeader')}
          />
        </>
      )}
    </RowsField>
  )
}
