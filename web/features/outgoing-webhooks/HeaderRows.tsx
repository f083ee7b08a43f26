import { Button, IconButton } from '../../ui/Button.tsx'
import { type FormWith, fieldsOf } from '../../ui/contract-form.tsx'
import { PasswordField, TextField, useNotes } from '../../ui/fields.tsx'
import { CloseIcon, PlusIcon } from '../../ui/icons.tsx'
import { t } from '../../words.ts'
import { type HeaderRow, MOST_HEADERS, NO_HEADER } from './headers.ts'
import styles from './OutgoingWebhooks.module.css'

type Props = {
  form: FormWith<{ headers: HeaderRow[] }>
  /** Names of those whose values are kept. */
  known: readonly string[]
}

/** The headers that are sent along, a row each. */
export function HeaderRows({ form, known }: Props) {
  const field = fieldsOf(form)
  const rows = form.values.headers
  const { id, error, onChange: change } = field('headers', t('outgoingWebhooks.headers'))
  const { notes, describedBy } = useNotes(id, undefined, error)
  return (
    <div id={id} tabIndex={-1} aria-describedby={describedBy} className={styles.headers}>
      {rows.map(({ name }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place; what is typed stands in the form
        <fieldset key={at} aria-label={t('outgoingWebhooks.headerAt', { number: at + 1 })} className={styles.header}>
          <TextField {...field(`headers.${at}.name`, t('outgoingWebhooks.headerName'))} autoComplete="off" />
          <PasswordField
            {...field(`headers.${at}.value`, t('outgoingWebhooks.headerValue'))}
            autoComplete="off"
            placeholder={known.includes(name.trim()) ? t('outgoingWebhooks.kept') : undefined}
            showLabel={t('outgoingWebhooks.showHeader')}
          />
          <IconButton
            label={t('outgoingWebhooks.removeHeader', { number: at + 1 })}
            icon={<CloseIcon size={16} />}
            onClick={() => change(rows.length > 1 ? rows.filter((_, other) => other !== at) : [NO_HEADER])}
          />
        </fieldset>
      ))}
      {notes}
      {rows.length < MOST_HEADERS && (
        <div>
          <Button small icon={<PlusIcon size={16} />} onClick={() => change([...rows, NO_HEADER])}>
            {t('outgoingWebhooks.addHeader')}
          </Button>
        </div>
      )}
    </div>
  )
}
