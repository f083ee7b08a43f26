import type { NavigateOptions } from '@tanstack/react-router'
import { NewOutgoingWebhook, type OutgoingWebhookChange, webhookFormats } from '#contract/outgoing-webhooks.ts'
import { type CallError, withFields } from '../../api.ts'
import { Form, FormActions, FormPanel, type FormWith, useContractForm } from '../../ui/contract-form.tsx'
import { PasswordField, SelectField, SwitchField, TextField } from '../../ui/fields.tsx'
import { isSame } from '../../ui/form-values.ts'
import { RowsField } from '../../ui/RowsField.tsx'
import { fieldWords } from '../../words/fields.ts'
import { outgoingWebhookWords } from '../../words/outgoing-webhooks.ts'
import { EventsField } from './EventsField.tsx'
import type { Chosen } from './events.ts'
import { formatOfUrl } from './format-of-url.ts'
import {
  type HeaderRow,
  headerMistakes,
  headerRows,
  MOST_HEADERS,
  NO_HEADER,
  placeMessages,
  toHeaders,
} from './headers.ts'

type Props = {
  heading: string
  submit: string
  initial: Pick<NewOutgoingWebhook, 'name' | 'url' | 'format' | 'enabled'> & { events: Chosen }
  /** Names of the saved headers. */
  known?: readonly string[]
  save: { busy: boolean; error: CallError | null; saved: { current: boolean } }
  cancel: NavigateOptions
  onSubmit: (body: NewOutgoingWebhook, changes: OutgoingWebhookChange) => void
}

const formats = webhookFormats.map((value) => ({ value, label: outgoingWebhookWords.formats[value] }))
const NONE: readonly string[] = []

export function OutgoingWebhookForm({ heading, submit, initial, known = NONE, save, cancel, onSubmit }: Props) {
  const headers = headerRows(known)
  const form = useContractForm(NewOutgoingWebhook, {
    initial: { ...initial, headers },
    omit: ['headers'],
    check: (values) => headerMistakes(values.headers, known),
  })
  const { field, values } = form
  const refuse = (error: CallError) => form.refuse(withFields(error, placeMessages(error.fields, values.headers)))
  const rowsChanged = !isSame(values.headers, headers)
  return (
    <Form
      form={{ ...form, refuse }}
      save={save}
      label={heading}
      onSubmit={(body, changes) => {
        const sent = toHeaders(values.headers, known)
        onSubmit(
          { ...(body as NewOutgoingWebhook), headers: sent },
          { ...(changes as OutgoingWebhookChange), ...(rowsChanged && { headers: sent }) },
        )
      }}
    >
      <FormPanel>
        <TextField {...field('name', fieldWords.name)} autoComplete="off" />
        <TextField
          {...field('url', fieldWords.url)}
          inputMode="url"
          autoComplete="off"
          help={outgoingWebhookWords.urlHelp}
          onChange={(url) => {
            const format = formatOfUrl(url)
            field('url').onChange(url)
            if (format) form.set({ format })
          }}
        />
        <SelectField {...field('format', fieldWords.format)} help={outgoingWebhookWords.formatHelp} choices={formats} />
        <EventsField {...field('events', fieldWords.events)} />
        <SwitchField {...field('enabled', fieldWords.enabled)} help={outgoingWebhookWords.enabledHelp} />
      </FormPanel>
      <FormPanel heading={fieldWords.headerNames} help={outgoingWebhookWords.headersHelp}>
        <HeaderRows form={form} known={known} />
      </FormPanel>
      <FormActions submit={submit} cancel={cancel} />
    </Form>
  )
}

type HeaderRowsProps = {
  form: FormWith<{ headers: HeaderRow[] }>
  /** Names of saved headers, whose values need not be entered again. */
  known: readonly string[]
}

/** The custom headers to send, one per row. */
function HeaderRows({ form, known }: HeaderRowsProps) {
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
