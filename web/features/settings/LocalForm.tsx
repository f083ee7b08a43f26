import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { LocalBankDetails } from '#contract/payout-details.ts'
import { type PayoutField, type PayoutFieldSet, previewPayoutForm } from '#contract/payout-form.ts'
import { apiQuery } from '../../calls.ts'
import { localBankFormQuery } from '../../shared/queries.ts'
import { Form, FormPanel } from '../../ui/contract-form.tsx'
import { DateField, SelectField, TextField } from '../../ui/fields.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { type FieldProps, useForm } from '../../ui/use-form.ts'
import { basicWords } from '../../words/basic.ts'
import { payoutDetailsWords as words } from '../../words/payout-details.ts'
import { DetailsEnd, type DetailsFormProps, useSavingDetails } from './details-form.tsx'

type Props = DetailsFormProps & { country: string; currency: string }

/** A partner's bank account elsewhere: the fields that the program's payout provider requires there. */
export function LocalForm(props: Props) {
  const { partnerId, country, currency } = props
  const answer = useQuery(localBankFormQuery(partnerId, { country, currency }))
  if (answer.data) return <LocalFieldsForm {...props} first={answer.data.types} />
  return (
    <Panel>
      <Pending answer={answer} rows={8} />
    </Panel>
  )
}

type Values = { type: string; fields: LocalFields; currentPassword: string }
type Draft = Pick<LocalBankDetails, 'type' | 'fields'>

function LocalFieldsForm({ first, ...props }: Props & { first: PayoutFieldSet[] }) {
  const { heading, partnerId, asksPassword, onCancel, country, currency } = props
  const { submit, save, passwordMissing } = useSavingDetails(props)
  const [initial] = useState<Values>(() => {
    const type = first[0]?.type ?? ''
    return { type, fields: emptyFields(first[0]?.fields ?? [], country), currentPassword: '' }
  })
  const [draft, setDraft] = useState<Draft | null>(() => draftOf(first, initial))
  const of = { kind: 'local-bank', country, currency } as const
  // a refused draft changes nothing: saving shows the mistakes
  const drafted = useQuery({
    ...apiQuery(previewPayoutForm, { params: { id: partnerId }, body: { ...of, type: '', fields: {}, ...draft } }),
    enabled: draft !== null,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const types = (draft && drafted.data?.types) ?? first
  const askedFor = (type: string) => [...types, ...first].find((one) => one.type === type)?.fields ?? []
  const form = useForm<Values>({
    initial,
    check: ({ type, fields, currentPassword }) => ({
      ...mistakesIn(askedFor(type), fields),
      currentPassword: passwordMissing(currentPassword),
    }),
  })
  const { values } = form
  const body = ({ type, fields }: Values): LocalBankDetails => ({
    ...of,
    type,
    fields: enteredFields(askedFor(type), fields),
  })

  // saving may have been refused because the required fields have changed
  const refused = save.error?.status === 422
  const { refetch } = drafted
  useEffect(() => {
    if (refused) void refetch()
  }, [refused, refetch])

  const decide = (next: Values) => setDraft(draftOf(types, next))
  const typeField = form.field('type', words.accountType)
  return (
    <Form
      form={{
        ...form,
        check() {
          const checked = form.check()
          return checked && { body: body(checked), changes: {} }
        },
      }}
      save={save}
      label={heading}
      onSubmit={(sent: LocalBankDetails) => submit(sent, values.currentPassword)}
    >
      <FormPanel heading={heading}>
        {first.length > 1 && (
          <SelectField
            {...typeField}
            choices={first.map(({ type, title }) => ({ value: type, label: title }))}
            onChange={(type) => {
              if (!type) return
              typeField.onChange(type)
              decide({ ...values, type })
            }}
          />
        )}
        {askedFor(values.type).map((one) => {
          const field = form.field(`fields.${one.key}`, one.label) as FieldProps<unknown>
          return (
            <LocalField
              key={one.key}
              asked={one}
              {...field}
              value={fieldAt(values.fields, one.key)}
              onChange={(value) => {
                field.onChange(value)
                if (one.input !== 'text') decide({ ...values, fields: withField(values.fields, one.key, value) })
              }}
              onBlur={() => {
                field.onBlur()
                if (one.input === 'text') decide(values)
              }}
            />
          )
        })}
        <DetailsEnd form={form} asksPassword={asksPassword} onCancel={onCancel} />
      </FormPanel>
    </Form>
  )
}

/** Returns the values that determine the required fields; null if none was entered. */
function draftOf(types: readonly PayoutFieldSet[], { type, fields }: Values): Draft | null {
  const deciding = decidingFields(types.find((one) => one.type === type)?.fields ?? [], fields)
  return deciding && { type, fields: deciding }
}

function LocalField({ asked, onChange, ...field }: FieldProps<string> & { asked: PayoutField }) {
  const { input, options, required, example } = asked
  const optional = !required
  if (input === 'date') return <DateField {...field} optional={optional} onChange={onChange} />
  if (input === 'text')
    return (
      <TextField
        {...field}
        optional={optional}
        onChange={onChange}
        {...(example && { help: words.example({ example }) })}
        autoComplete="off"
      />
    )
  return (
    <SelectField
      {...field}
      value={field.value || null}
      optional={optional}
      disabled={options.length === 0}
      placeholder={words.choose}
      choices={options}
      onChange={(value) => onChange(value ?? '')}
    />
  )
}

/** Mistakes that need no provider: missing values, and too short or too long ones. */
const mistakesIn = (asked: readonly PayoutField[], fields: LocalFields) =>
  Object.fromEntries(asked.map((one) => [`fields.${one.key}`, mistakeIn(one, fieldAt(fields, one.key).trim())]))

function mistakeIn({ label, required, minLength, maxLength }: PayoutField, { length }: string): string | undefined {
  if (length === 0) return required ? basicWords.rules.required({ label }) : undefined
  if (minLength !== null && length < minLength) return words.tooShort({ count: minLength })
  return maxLength !== null && length > maxLength ? words.tooLong({ count: maxLength }) : undefined
}

/** Values as a form keeps them: the dots of a name make groups. */
type LocalFields = { [name: string]: string | LocalFields }

/** Returns a copy with one value changed. */
function withField(fields: LocalFields, key: string, value: string): LocalFields {
  const [name = '', ...rest] = key.split('.')
  const inner = Object.hasOwn(fields, name) ? fields[name] : undefined
  const group = typeof inner === 'object' ? inner : {}
  return { ...fields, [name]: rest.length > 0 ? withField(group, rest.join('.'), value) : value }
}

/** Returns the value of a field; '' if there is none. */
function fieldAt(fields: LocalFields, key: string): string {
  let at: string | LocalFields | undefined = fields
  for (const name of key.split('.')) at = typeof at === 'object' && Object.hasOwn(at, name) ? at[name] : undefined
  return typeof at === 'string' ? at : ''
}

/** Returns the values to send, by name, without empty ones and those of fields that are no longer required. */
const enteredFields = (asked: readonly PayoutField[], fields: LocalFields): Record<string, string> =>
  Object.fromEntries(asked.map(({ key }) => [key, fieldAt(fields, key).trim()]).filter(([, value]) => value !== ''))

/** Returns empty values, with the bank's country as the partner's if it can be chosen. */
const emptyFields = (asked: readonly PayoutField[], country: string): LocalFields =>
  asked.reduce<LocalFields>((made, { key, options }) => {
    const isCountry = /(^|\.)country$/.test(key) && options.some(({ value }) => value === country)
    return withField(made, key, isCountry ? country : '')
  }, {})

/**
 * Returns the values that may change the fields: those of selects and of fields with `refresh`; null without the
 * latter.
 */
function decidingFields(asked: readonly PayoutField[], fields: LocalFields): Record<string, string> | null {
  const isEntered = asked.some(({ key, refresh }) => refresh && fieldAt(fields, key) !== '')
  return isEntered
    ? enteredFields(
        asked.filter(({ input, refresh }) => refresh || input === 'select'),
        fields,
      )
    : null
}
