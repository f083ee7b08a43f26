import type { FormWith } from '../../ui/contract-form.tsx'
import { PasswordField, TextField } from '../../ui/fields.tsx'
import { RowsField } from '../../ui/RowsField.tsx'
import { fieldWords } from '../../words/fields.ts'
import { outgoingWebhookWords } from '../../words/outgoing-webhooks.ts'
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
      field={field('headers', fieldWords.headerNames)}
      blank={NO_HEADER}
      most={MOST_HEADERS}
      words={{
        row: (number) => outgoingWebhookWords.headerAt({ number }),
        add: outgoingWebhookWords.addHeader,
        remove: (number) => outgoingWebhookWords.removeHeader({ number }),
      }}
    >
      {(at) => (
        <>
          <TextField {...field(`headers.${at}.name`, outgoingWebhookWords.headerName)} autoComplete="off" />
          <PasswordField
            {...field(`headers.${at}.value`, outgoingWebhookWords.headerValue)}
            autoComplete="off"
            placeholder={
              known.includes(form.values.headers[at]?.name.trim() ?? '') ? outgoingWebhookWords.kept : undefined
            }
            showLabel={outgoingWebhookWords.showHeader}
          />
        </>
      )}
    </RowsField>
  )
}
